// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetSocket;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a client that makes contexts may be silent. */
class ContextConnectionTest {

  /** By number: the timers that have not been cancelled. */
  private final Map<Long, Handler<Long>> timers = new TreeMap<>();
  private final Map<String, Handler<Object>> handlers = new HashMap<>();
  private final List<String> done = new ArrayList<>();
  private long lastTimer;

  private final VertxInternal vertx = of(VertxInternal.class, (proxy, method, arguments) ->
      method.getName().equals("cancelTimer") && timers.remove(arguments[0]) != null);
  private final ContextInternal loop = of(ContextInternal.class, (proxy, method, arguments) ->
      method.getName().equals("owner") ? vertx : timer(arguments[1]));
  private final NetSocket socket = of(NetSocket.class, (proxy, method, arguments) -> {
    if (method.getName().endsWith("andler")) {
      handlers.put(method.getName(), handler(arguments[0]));
    } else {
      done.add(method.getName());
    }
    return method.getReturnType() == boolean.class ? (Object) false
        : method.getReturnType() == Future.class ? Future.succeededFuture() : proxy;
  });

  private static <T> T of(Class<T> type, InvocationHandler what) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, what));
  }

  @SuppressWarnings("unchecked")
  private static <T> Handler<T> handler(Object argument) {
    return (Handler<T>) argument;
  }

  private long timer(Object handler) {
    timers.put(++lastTimer, handler(handler));
    return lastTimer;
  }

  private static byte[] call() {
    XdrWriter writer = new XdrWriter();
    new CallHeader(7, 8, 9, 0, OpaqueAuth.NONE).encode(writer);
    byte[] call = writer.toByteArray();
    // The version of RPC, which is refused before anything else is looked at.
    call[11] = 3;
    return RecordMark.framed(call);
  }

  /** Fails if {@code ContextConnection.next} leaves the timer of the call before, or sets none. */
  @Test
  @DisplayName("The time of a connection begins anew with each whole call, and with nothing less")
  void timeOfSilence() {
    Authenticator unasked = (header, message, later) -> {
      throw new AssertionError("asked");
    };
    ContextConnection connection = new ContextConnection(loop, socket, new ProgramTable<>(), unasked);
    connection.begin();
    assertThat(timers).containsOnlyKeys(1L);
    handlers.get("handler").handle(Buffer.buffer(call()));
    assertThat(done).contains("write");
    assertThat(timers).containsOnlyKeys(2L);
    handlers.get("handler").handle(Buffer.buffer(call()).getBuffer(0, 20));
    assertThat(timers).containsOnlyKeys(2L);
    assertThat(done).doesNotContain("close");
    timers.get(2L).handle(2L);
    assertThat(done).endsWith("close");
    connection.ended();
    assertThat(timers).isEmpty();
  }
}
