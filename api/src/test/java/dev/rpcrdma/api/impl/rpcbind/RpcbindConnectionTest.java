// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.record.RecordMark;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A client that sends many calls and takes few answers. */
class RpcbindConnectionTest {

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, Handler<Object>> handlers = new HashMap<>();
  private final List<String> done = new ArrayList<>();
  /** Answers that the socket takes until its queue is full. */
  private int room;

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @SuppressWarnings("unchecked")
  private Object called(Object socket, Method method, Object[] arguments) {
    if (method.getName().endsWith("andler")) {
      handlers.put(method.getName(), (Handler<Object>) arguments[0]);
    } else if (method.getName().equals("writeQueueFull")) {
      return room == 0;
    } else {
      done.add(method.getName());
      room -= method.getName().equals("write") ? 1 : 0;
    }
    return method.getReturnType() == Future.class ? Future.succeededFuture() : socket;
  }

  private List<String> after(String handler, Object event, int newRoom) {
    done.clear();
    room = newRoom;
    handlers.get(handler).handle(event);
    return done;
  }

  /** Fails if {@code RpcbindConnection.drained} resumes the socket while calls wait, or never. */
  @Test
  @DisplayName("The client is read from again when its last call is answered, and not before")
  void drained() {
    NetSocket socket = (NetSocket) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {NetSocket.class}, this::called);
    new RpcbindConnection(vertx, socket, Duration.ofMinutes(1), call -> call).serve();
    Buffer calls = Buffer.buffer();
    for (int i = 0; i < 3; i++) {
      calls.appendBytes(RecordMark.framed(new byte[4]));
    }
    assertThat(after("handler", calls, 1)).containsExactly("write", "pause");
    assertThat(after("drainHandler", null, 1)).containsExactly("write", "pause");
    assertThat(after("drainHandler", null, 1)).containsExactly("write", "resume");
  }
}
