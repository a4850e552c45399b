// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.requester.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers are told of calls whose time is over. */
class CallOutcomeTest {

  private static final RpcRequest<?> PLACE = RpcRequest.to(new UpperLayerBinding(0x20060096, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("PLACE", 0, 0, ReplyBound.of(4)))), 1).build();
  private static final Throwable REFUSED = new RpcConnectException("Cannot connect to h:1: refused", null, false);

  private static RpcException late(boolean sent, Throwable connectFailure, boolean part) {
    return CallOutcome.failure(PLACE, new Outcome.Failed(Outcome.Kind.TIMEOUT, "Late", sent), connectFailure,
        Duration.ofSeconds(1), part);
  }

  /** Fails if nobody is told why there was no connection. */
  @Test
  @DisplayName("A call that was not sent says why the last attempt to connect has failed")
  void notSent() {
    assertThat(late(false, REFUSED, false)).isInstanceOf(RpcTimeoutException.class)
        .hasMessageEndingWith(": The call was not sent within its timeout (1000 ms). Cannot connect to h:1: refused");
    assertThat(late(false, null, false)).hasMessageEndingWith(": The call was not sent within its timeout (1000 ms)");
  }

  /** Fails if a failure to connect is told of a call that has been sent since. */
  @Test
  @DisplayName("A call that was sent says that nothing has come in its time, or in that of the call it is a part of")
  void sent() {
    assertThat(late(true, REFUSED, false)).hasMessageEndingWith(": Late (1000 ms)");
    assertThat(late(true, null, true))
        .hasMessageEndingWith(": Late (1000 ms, or what was left of the call that it is a part of)");
  }
}
