// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Failures of a bridge, as the event bus is told of them")
final class BusFailuresTest {

  private static void assertFailure(ReplyException failure, ReplyFailure type, int code, String message) {
    assertThat(failure.failureType()).isEqualTo(type);
    assertThat(failure.failureCode()).isEqualTo(code);
    assertThat(failure).hasMessage(message);
  }

  @Test
  @DisplayName("What carried a message fails in the event bus's own terms")
  void causes() {
    ReplyException known = new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 7, "known");
    assertThat(BusFailures.of(known)).isSameAs(known);
    assertFailure(BusFailures.of(new RpcTimeoutException("late", true)), ReplyFailure.TIMEOUT, -1, "late");
    assertFailure(BusFailures.of(new RpcRejectedException(AuthStatus.TOOWEAK, "weak", false)),
        ReplyFailure.RECIPIENT_FAILURE, 401, "weak");
    assertFailure(BusFailures.of(new RpcConnectException("away", null)), ReplyFailure.NO_HANDLERS, 503, "away");
    assertFailure(BusFailures.of(new RpcConnectException("away", null, true)), ReplyFailure.ERROR, -1, "away");
    for (AcceptStatus status : AcceptStatus.values()) {
      boolean unavailable = status == AcceptStatus.PROG_UNAVAIL || status == AcceptStatus.PROG_MISMATCH;
      assertFailure(BusFailures.of(new RpcRejectedException(status, "no", false)),
          unavailable ? ReplyFailure.NO_HANDLERS : ReplyFailure.ERROR, unavailable ? 503 : -1, "no");
    }
    assertFailure(BusFailures.of(new IllegalStateException("odd")), ReplyFailure.ERROR, -1,
        "java.lang.IllegalStateException: odd");
  }

  @Test
  @DisplayName("Only the event bus of the consumer knows that there is none")
  void noConsumer() {
    assertThat(BusFailures.hasNoConsumer(new ReplyException(ReplyFailure.NO_HANDLERS, -1, ""))).isTrue();
    assertThat(BusFailures.hasNoConsumer(new ReplyException(ReplyFailure.NO_HANDLERS, 503, ""))).isFalse();
    assertThat(BusFailures.hasNoConsumer(new ReplyException(ReplyFailure.TIMEOUT, -1, ""))).isFalse();
    assertThat(BusFailures.hasNoConsumer(new IllegalStateException())).isFalse();
  }

  @Test
  @DisplayName("What may not cross, with as much of its name as is worth reading")
  void forbidden() {
    assertFailure(BusFailures.forbidden("there", null), ReplyFailure.RECIPIENT_FAILURE, 403,
        "there may not cross the bridge");
    assertFailure(BusFailures.forbidden("there", "list"), ReplyFailure.RECIPIENT_FAILURE, 403,
        "there/list may not cross the bridge");
    assertThat(BusFailures.noObject("x".repeat(100))).hasMessageContaining("at " + "x".repeat(100) + ", which");
    assertThat(BusFailures.noObject("x".repeat(101))).hasMessageContaining("at " + "x".repeat(100) + "…, which");
    assertThat(BusFailures.noCodec("odd", new IllegalArgumentException("why"))).hasMessageEndingWith("(why)");
  }

  @Test
  @DisplayName("The address of an object is a UUID as Java writes it")
  void addresses() {
    assertThat(ObjectAddress.isValid(ObjectAddress.random())).isTrue();
    assertThat(ObjectAddress.isValid(new UUID(-1, -1).toString().toUpperCase(Locale.ROOT))).isFalse();
    assertThat(ObjectAddress.isValid("1-1-1-1-1")).isFalse();
    assertThat(ObjectAddress.isValid("service")).isFalse();
  }
}
