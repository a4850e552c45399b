// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rejections of the peer, as callers of the node in between hear of them. */
class RelayTest {

  private static final RpcCall CALL = (RpcCall) Proxy.newProxyInstance(RelayTest.class.getClassLoader(),
      new Class<?>[] {RpcCall.class}, (self, method, arguments) -> switch (method.getName()) {
        case "arguments" -> new XdrReader(ByteBuffer.allocate(0));
        case "procedure" -> 1;
        case "headers" -> Map.of();
        case "millisLeft" -> 1000L;
        default -> throw new UnsupportedOperationException(method.getName());
      });

  private static Throwable relayed(RpcRejectedException cause) {
    RpcCaller peer = new RpcCaller() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request) {
        return Future.failedFuture(cause);
      }
    };
    return Waiting.awaitFailure(new Relay(ServiceBinding.of(Bare.class).upperLayerBinding(), peer).handle(CALL));
  }

  /** Fails if {@code Relay.status} does not look at the status of an authentication. */
  @Test
  @DisplayName("A caller that the peer does not let in hears why")
  void authentication() {
    assertThat(relayed(new RpcRejectedException(AuthStatus.TOOWEAK, "weak", false)))
        .isInstanceOfSatisfying(RpcStatusException.class, e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  /** Fails if {@code Relay.status} passes no status, or tries one that has data. */
  @ParameterizedTest
  @EnumSource(value = AcceptStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
  @DisplayName("Other statuses pass as they are; that of versions fails as a call does")
  void statuses(AcceptStatus status) {
    RpcRejectedException cause = new RpcRejectedException(status, "rejected", false);
    if (status == AcceptStatus.PROG_MISMATCH) {
      assertThat(relayed(cause)).isSameAs(cause);
    } else {
      assertThat(relayed(cause)).isInstanceOfSatisfying(RpcStatusException.class,
          e -> assertThat(e.status()).contains(status));
    }
  }
}
