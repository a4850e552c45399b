// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is done before a server stops to accept connections. */
class BeforeCloseTest {

  private final ServerGroup group = new ServerGroup();
  private final Promise<Void> done = Promise.promise();
  private final LinkedBlockingQueue<String> begun = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    done.tryComplete();
    group.close();
  }

  private RpcServer server(Duration drainTimeout) {
    group.serverOptions.setDrainTimeout(drainTimeout);
    return group.start().server.beforeClose(() -> {
      begun.add("begun");
      return done.future();
    });
  }

  /** Fails if {@code RpcServerImpl.close} does not wait for what comes before. */
  @Test
  @DisplayName("Until it is done the server accepts, and serves; what is bound and connected can be asked")
  void serves() {
    RpcServer server = server(Duration.ofMinutes(1));
    group.listAll();
    assertThat(server.bindings()).containsExactly(LedgerService.BINDING, EchoService.BINDING);
    assertThat(server.devices()).containsExactly("memory");
    Future<Void> closed = server.close();
    assertThat(Waiting.next(begun)).isEqualTo("begun");
    assertThat(server.close()).isSameAs(closed);
    Waiting.await(group.channel(LoadBalancer.FIRST).call(ServerGroup.add(1)));
    assertThat(server.connectionCount()).isEqualTo(1);
    assertThat(server.actualPort()).isPositive();
    assertThat(closed.isComplete()).isFalse();
    done.complete();
    Waiting.await(closed);
    assertThat(server.actualPort()).isEqualTo(-1);
    assertThat(server.connectionCount()).isZero();
    assertThat(begun).as("once").isEmpty();
    assertThatThrownBy(() -> server.beforeClose(done::future)).isInstanceOf(RpcClosedException.class);
    assertThat(server.devices()).isEmpty();
  }

  /** Fails if {@code PreCloseHook.say} sets no limit. */
  @Test
  @DisplayName("It takes no longer than calls may take to finish")
  void drainTimeout() {
    Waiting.await(server(Duration.ofMillis(20)).close());
    assertThat(begun).hasSize(1);
  }

  /** Fails if {@code RpcServerImpl.shutdown} does not limit what is under way. */
  @Test
  @DisplayName("A shutdown ends it, also one that comes later")
  void shutdown() {
    RpcServer server = server(Duration.ofHours(1));
    Future<Void> closed = server.close();
    assertThat(Waiting.next(begun)).isEqualTo("begun");
    server.shutdown(Duration.ZERO);
    Waiting.await(closed);
    RpcServer other = server(Duration.ofHours(1));
    Waiting.await(other.shutdown(Duration.ofMillis(20)));
  }

  /** Fails if {@code PreCloseHook.begin} does not catch what an action throws. */
  @Test
  @DisplayName("What fails, or throws, changes nothing")
  void fails() {
    RpcServer server = server(Duration.ofHours(1)).beforeClose(() -> Future.failedFuture("on purpose"))
        .beforeClose(() -> {
          throw new IllegalStateException("on purpose");
        });
    Future<Void> closed = server.close();
    assertThat(Waiting.next(begun)).isEqualTo("begun");
    done.complete();
    Waiting.await(closed);
  }

  /** Fails if {@code RpcServerImpl} adds no close hook to its context. */
  @Test
  @DisplayName("It is done when a verticle is undeployed, too")
  void undeployed() {
    done.complete();
    String id = Waiting.await(group.vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return RpcServer.create(vertx, group.serverOptions).beforeClose(() -> {
          begun.add("begun");
          return done.future();
        }).listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST));
      }
    }));
    Waiting.await(group.vertx.undeploy(id));
    assertThat(begun).hasSize(1);
  }
}
