// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services that do not answer in time, and what the log of their server says of it. */
class SlowServicesTest {

  private static final int HURRIED = 1;
  private static final int PATIENT = 2;
  private static final ProcedureBinding NOTHING = new ProcedureBinding("SLOW", 0, 0, ReplyBound.of(0));
  private static final UpperLayerBinding SLOW = new UpperLayerBinding("SLOW_SERVICE", 0x200600a7, 1, OptionalInt.empty(),
      Map.of(HURRIED, NOTHING, PATIENT, NOTHING));

  private static final RpcService NEVER = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return SLOW;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      return Promise.<XdrEncoder>promise().future();
    }
  };

  private static Throwable call(Duration serviceTimeout, int procedure, Duration timeout) {
    RpcServerOptions options = new RpcServerOptions().setServiceTimeout(serviceTimeout)
        .setDrainTimeout(Duration.ofMillis(1));
    try (RpcBed bed = new RpcBed(options, new RpcClientOptions())) {
      bed.server.bind(NEVER);
      return Waiting.awaitFailure(bed.channel.call(RpcRequest.to(SLOW, procedure)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build()));
    }
  }

  /** Fails if {@code Responder.timedOut} tells nobody, or tells of callers who have no time left. */
  @Test
  @DisplayName("A service that takes longer than it may is named in the log; one whose caller has no more time is not")
  void logged() {
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.connection.Dispatcher")) {
      assertThat(call(Duration.ofSeconds(20), HURRIED, Duration.ofMillis(50))).isInstanceOf(RpcTimeoutException.class);
      assertThat(logged.all()).isEmpty();
      assertThat(call(Duration.ofMillis(50), PATIENT, Duration.ofSeconds(20))).isInstanceOf(RpcRejectedException.class);
      assertThat(logged.all()).singleElement().asString().contains("SLOW_SERVICE").contains("serviceTimeout");
    }
  }
}
