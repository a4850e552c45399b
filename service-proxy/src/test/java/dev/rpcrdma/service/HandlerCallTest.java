// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.fixture.Echo;
import dev.rpcrdma.service.fixture.EchoService;
import dev.rpcrdma.service.runtime.HandlerCall;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Memory of arguments is given back when the service is done with a call, and if the service is not reached. */
@DisplayName("Arguments of served calls")
final class HandlerCallTest {

  private final OnVertx onVertx = new OnVertx();
  private Payload argument;

  @AfterEach
  void close() throws Exception {
    onVertx.close();
  }

  private boolean isReleased() {
    return catchThrowable(argument::bytes) instanceof IllegalStateException;
  }

  private Future<XdrEncoder> serve(Function<HandlerCall, Future<XdrEncoder>> procedures) {
    XdrReader arguments = new XdrReader(ByteBuffer.wrap(new XdrWriter().opaque(new byte[8]).toByteArray()));
    StubCall call = new StubCall(ServiceBinding.of(Echo.class).service(new EchoService()).binding(), 1,
        arguments);
    return HandlerCall.serve(call, Failures.NONE, served -> {
      argument = served.in().payload(8);
      return procedures.apply(served);
    });
  }

  private Throwable failure(Function<HandlerCall, Future<XdrEncoder>> procedures) {
    return catchThrowable(() -> onVertx.await(() -> serve(procedures)));
  }

  @Test
  @DisplayName("Arguments that turn out to be bad, and a service that throws")
  void refused() {
    assertThat(failure(served -> {
      throw new XdrException("bad");
    })).isInstanceOf(XdrException.class);
    assertThat(isReleased()).isTrue();
    assertThat(failure(served -> served.reply("echo", () -> {
      throw new IllegalArgumentException("odd");
    }))).isInstanceOf(IllegalArgumentException.class);
    assertThat(isReleased()).isTrue();
    failure(served -> served.gone("Session"));
    assertThat(isReleased()).isTrue();
  }

  @Test
  @DisplayName("A service has its arguments until its future completes")
  void lent() throws Throwable {
    onVertx.await(() -> {
      Promise<Void> outcome = Promise.promise();
      Future<XdrEncoder> reply = serve(served -> served.reply("echo", outcome::future));
      assertThat(isReleased()).isFalse();
      outcome.complete();
      assertThat(isReleased()).isTrue();
      return reply;
    });
    onVertx.await(() -> serve(served -> served.run("echo", () -> assertThat(isReleased()).isFalse())));
    assertThat(isReleased()).isTrue();
  }
}
