// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.RpcUnsupportedException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of a call that another server may have executed before. */
class FailoverKindsTest {

  private static final Throwable CAUSE = new IllegalStateException("cause");

  static Stream<RpcException> unsent() {
    return Stream.of(new RpcTimeoutException("why", false), new RpcCancelledException("why", false),
        new RpcConnectException("why", CAUSE), new RpcConnectionLostException("why", false, true),
        new RpcClosedException("why"), new RpcSecurityException("why", false), new RpcEncodingException("why", CAUSE),
        new RpcUnsupportedException("why"), new RpcTransportException("why", false),
        new RpcResourceException("why", CAUSE));
  }

  /** Fails for each kind whose line in {@code Failover.again} is taken away. */
  @ParameterizedTest
  @MethodSource("unsent")
  @DisplayName("Each kind of failure says that the call may have been executed, and keeps all else")
  void kinds(RpcException failure) {
    Throwable before = new IllegalStateException("before");
    failure.addSuppressed(before);
    assertThat(Failover.maybeExecutedBefore(failure)).isExactlyInstanceOf(failure.getClass()).hasMessage("why")
        .isInstanceOfSatisfying(RpcException.class, again -> {
          assertThat(again.maybeExecuted()).isTrue();
          assertThat(again.getCause()).isSameAs(failure.getCause());
          assertThat(again.getSuppressed()).containsExactly(before);
          assertThat(again.getStackTrace()).isEqualTo(failure.getStackTrace());
        });
  }

  /** Fails for each kind that {@code Failover.mayGoOn} leaves out, or takes for another one. */
  @Test
  @DisplayName("A call goes on if it was not sent, and if nothing comes of another execution")
  void goesOn() {
    Stream.of(false, true).forEach(sent -> assertThat(List.of(new RpcConnectException("why", CAUSE, sent),
        new RpcConnectionLostException("why", sent, false), new RpcClosedException("why", sent),
        new RpcResourceException("why", null, sent)))
        .allSatisfy(failure -> {
          assertThat(Failover.mayGoOn(failure, false, false)).isEqualTo(!sent);
          assertThat(Failover.mayGoOn(failure, true, false)).isTrue();
          assertThat(Failover.mayGoOn(failure, false, true)).isTrue();
        }));
    assertThat(List.of(new RpcTimeoutException("why", false), new RpcCancelledException("why", false),
        new RpcTransportException("why", false), CAUSE))
        .noneMatch(failure -> Failover.mayGoOn(failure, true, true));
  }

  @Test
  @DisplayName("What says so itself, and what is no failure of the product's, stays as it is")
  void others() {
    assertThat(Failover.maybeExecutedBefore(CAUSE)).isSameAs(CAUSE);
    RpcException sent = new RpcTimeoutException("why", true);
    assertThat(Failover.maybeExecutedBefore(sent)).isSameAs(sent);
  }
}
