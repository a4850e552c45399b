// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.Bare;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the calls of one connection have to do with each other, over siw. */
class OneConnectionTest {

  private static final int LATER = 1;
  private static final int BACK = 2;
  private static final int XID = 3;

  private final OnVertx onVertx = new OnVertx();
  private final Promise<Integer> later = Promise.promise();
  private final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;

  private final class Service implements Bare {

    @Override
    public Future<Integer> increment(int value) {
      RpcCall call = RpcCall.current();
      clients.add(call.connection().remoteAddress());
      return switch (value) {
        case LATER -> later.future();
        case BACK -> call.connection().peer().proxy(Bare.class).increment(value);
        case XID -> Future.succeededFuture(call.xid());
        default -> Future.succeededFuture(value + 1);
      };
    }

    @Override
    public Future<Void> nothing() {
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void open() throws Throwable {
    server = RpcServer.create(onVertx.vertx()).bind(Bare.class, new Service());
    onVertx.await(() -> server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(onVertx.vertx());
    channel = channel();
  }

  @AfterEach
  void close() throws Throwable {
    onVertx.await(() -> client.close());
    onVertx.await(() -> server.close());
    onVertx.close();
  }

  private RpcChannel channel() {
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  @Test
  @DisplayName("R-339: calls end in the order in which they are answered")
  void inAnyOrder() throws Throwable {
    Bare proxy = channel.proxy(Bare.class);
    Future<Integer> first = onVertx.await(() -> Future.succeededFuture(proxy.increment(LATER)));
    for (int value = 10; value < 20; value++) {
      int each = value;
      assertThat(onVertx.await(() -> proxy.increment(each))).isEqualTo(each + 1);
    }
    assertThat(first.isComplete()).isFalse();
    later.complete(42);
    assertThat(onVertx.await(() -> first)).isEqualTo(42);
  }

  @Test
  @DisplayName("R-188: a server calls its client over the client's own connection, and nothing more is bound")
  void bothDirections() throws Throwable {
    channel.bind(Bare.class, new Bare() {
      @Override
      public Future<Integer> increment(int value) {
        return Future.succeededFuture(value + 100);
      }

      @Override
      public Future<Void> nothing() {
        return Future.succeededFuture();
      }
    });
    Bare proxy = channel.proxy(Bare.class);
    assertThat(onVertx.await(() -> proxy.increment(BACK))).isEqualTo(BACK + 100);
    assertThat(onVertx.await(() -> proxy.increment(7))).isEqualTo(8);
    assertThat(clients).as("one connection").hasSize(1);
  }

  @Test
  @DisplayName("B-084: each channel begins with an XID of its own")
  void firstXids() throws Throwable {
    int channels = 8;
    Set<Integer> first = new HashSet<>();
    for (int i = 0; i < channels; i++) {
      Bare proxy = channel().proxy(Bare.class);
      first.add(onVertx.await(() -> proxy.increment(XID)));
    }
    // By chance two of them are the same once in 150 million runs.
    assertThat(first).hasSize(channels);
  }
}
