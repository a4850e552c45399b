// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.eventbus.EventBusChannelOptions;
import dev.rpcrdma.service.eventbus.RpcServiceBinder;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects of services that have several registrations, instances or connections. */
class ObjectsEverywhereTest {

  private static final int INSTANCES = 4;
  private static final int SESSIONS = 16;
  private static final String ADDRESS = "everything";

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** A session that tells by which thread it was made, and by which its methods are called. */
  private record ThreadSession(String maker, Thread made, BlockingQueue<String> closed) implements Session {

    private static String current() {
      return Integer.toUnsignedString(RpcCall.current().program(), 16) + " on " + Thread.currentThread().getName();
    }

    @Override
    public Future<String> begin() {
      return Future.succeededFuture(made.getName());
    }

    @Override
    public Future<String> insert(String name, JsonObject data) {
      return Future.succeededFuture(maker);
    }

    /** Returns another session; with the name "never", its call has no outcome. */
    @Override
    public Future<Session> nested(String name) {
      if (name.equals("never")) {
        RpcCall.current().abandonHandler(gone -> closed.add(current()));
        return Promise.<Session>promise().future();
      }
      return Future.succeededFuture(new ThreadSession(maker, Thread.currentThread(), closed));
    }

    @Override
    public Session note(String text) {
      return this;
    }

    @Override
    public Future<String> notes() {
      return Future.succeededFuture(current());
    }

    @Override
    public Future<Void> close() {
      closed.add(Thread.currentThread().getName());
      return Future.succeededFuture();
    }
  }

  private Everything service(String name) {
    return (Everything) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Everything.class},
        (self, method, arguments) -> Future.succeededFuture(new ThreadSession(name, Thread.currentThread(), closed)));
  }

  private static VerticleBase verticle(Supplier<Future<?>> start) {
    return new VerticleBase() {
      @Override
      public Future<?> start() {
        return start.get();
      }
    };
  }

  private int listen() {
    int port = FreePort.find();
    Waiting.await(vertx.deployVerticle(() -> verticle(() -> RpcServer.create(vertx).bind(Everything.class, service(""))
        .listen(SocketAddress.inetSocketAddress(port, "127.0.0.1"))),
        new DeploymentOptions().setInstances(INSTANCES)));
    return port;
  }

  /** Returns a proxy that calls over several connections, all of which are up. */
  private Everything proxyOf(int port) {
    RpcChannel channel = RpcClient.create(vertx, new RpcClientOptions().setConnections(INSTANCES))
        .channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
    Waiting.await(channel.connect());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream().allMatch(ChannelSnapshot::connected));
    return channel.proxy(Everything.class);
  }

  private static List<Session> sessions(Everything proxy) {
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(Waiting.await(proxy.connect("any")));
    }
    return sessions;
  }

  private void assertCalled(List<Session> sessions) {
    Set<String> threads = new HashSet<>();
    for (Session session : sessions) {
      String maker = Waiting.await(session.begin());
      threads.add(maker);
      // Calls take turns: each instance, registration or connection has one.
      for (int i = 0; i < INSTANCES; i++) {
        assertThat(Waiting.await(session.notes())).isEqualTo("20060042 on " + maker);
      }
      Session inner = Waiting.await(session.nested("inner"));
      for (int i = 0; i < INSTANCES; i++) {
        assertThat(Waiting.await(inner.notes())).isEqualTo("20060042 on " + maker);
      }
      Waiting.await(session.close());
      assertThat(Waiting.next(closed)).isEqualTo(maker);
      assertThat(Waiting.awaitFailure(session.begin())).hasMessage("Proxy is closed");
    }
    assertThat(threads).as("threads that have made objects").hasSizeGreaterThan(1);
  }

  /**
   * Fails if each handler has a table of its own, or if {@code HandlerCall.invoke} calls an object on the context of
   * the instance that the call came to.
   */
  @Test
  @DisplayName("An object of one of several instances is called through all of them, on the thread that made it")
  void instances() {
    assertCalled(sessions(proxyOf(listen())));
  }

  @Test
  @DisplayName("An object of one of several registrations on the event bus is called through all of them")
  void registrations() {
    register(new DeploymentOptions().setInstances(INSTANCES));
    assertCalled(sessions(EventBusChannel.create(vertx, ADDRESS).proxy(Everything.class)));
  }

  @Test
  @DisplayName("An object that was made over one of several connections is called over all of them")
  void connections() {
    RpcServer server = RpcServer.create(vertx)
        .bindPerConnection(Everything.class, connection -> service(connection.remoteAddress().toString()));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Set<String> makers = new HashSet<>();
    for (Session session : sessions(proxyOf(server.actualPort()))) {
      String maker = Waiting.await(session.insert("", new JsonObject()));
      makers.add(maker);
      for (int i = 0; i < INSTANCES; i++) {
        assertThat(Waiting.await(session.insert("", new JsonObject()))).isEqualTo(maker);
      }
    }
    assertThat(makers).hasSizeGreaterThan(1);
  }

  /** Fails if {@code CallBeingServed.abandonHandler} knows no context but that of the registration. */
  @Test
  @DisplayName("A method of an object hears on the thread of the object that its caller waits no longer")
  void abandoned() {
    register(new DeploymentOptions().setInstances(INSTANCES));
    EventBusChannel channel = EventBusChannel.create(vertx, ADDRESS,
        new EventBusChannelOptions().setCallTimeout(Duration.ofMillis(200)));
    Session session = Waiting.await(channel.proxy(Everything.class).connect("any"));
    String maker = Waiting.await(session.begin());
    for (int i = 0; i < INSTANCES; i++) {
      assertThat(Waiting.awaitFailure(session.nested("never"))).isInstanceOf(RpcTimeoutException.class);
      assertThat(Waiting.next(closed)).isEqualTo("20060042 on " + maker);
    }
  }

  private String register(DeploymentOptions options) {
    return Waiting.await(vertx.deployVerticle(() -> verticle(() -> new RpcServiceBinder(vertx).setAddress(ADDRESS)
        .register(Everything.class, service(""))), options));
  }

  /** Fails if {@code HandlerCall.invoke} lets out that the threads of an object are closed. */
  @Test
  @DisplayName("An object of a worker verticle that is gone is called, and closed, through another registration")
  void closedWorkers() {
    String pool = "closed with its verticle";
    String workers = register(new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool));
    Session session = Waiting.await(EventBusChannel.create(vertx, ADDRESS).proxy(Everything.class).connect("any"));
    assertThat(Waiting.await(session.notes())).contains(pool);
    register(new DeploymentOptions());
    Waiting.await(vertx.undeploy(workers));
    // The threads are closed some time after that.
    Waiting.until(() -> !Waiting.await(session.notes()).contains(pool));
    Waiting.await(session.close());
    assertThat(Waiting.next(closed)).doesNotContain(pool);
  }
}
