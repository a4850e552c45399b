// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A call that waits for the thread of its service is not executed when its caller has gone meanwhile. */
class CallersGoneTest {

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> executed = new LinkedBlockingQueue<>();
  private final BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
  private final Semaphore goesOn = new Semaphore(0);
  private RpcServerVerticle verticle;
  private String deployment;
  private RpcChannel channel;
  private Future<Void> first;

  @BeforeEach
  void occupy() {
    verticle = new RpcServerVerticle(new RpcServerOptions().setDrainTimeout(Duration.ofMillis(100)).setMaxSessions(1),
        SocketAddress.inetSocketAddress(0, RpcBed.HOST), server -> server.bind(
            new BusyService(executed, goesOn::acquireUninterruptibly)));
    deployment = Waiting.await(vertx.deployVerticle(verticle,
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
    verticle.server().connectionHandler(connections::add);
    channel = channel(RpcClient.create(vertx));
    first = channel.call(RpcRequest.to(BusyService.BINDING, 1).build());
    assertThat(Waiting.next(executed)).isEqualTo("first");
  }

  @AfterEach
  void close() {
    goesOn.release(100);
    Waiting.await(vertx.close());
  }

  private RpcChannel channel(RpcClient client) {
    return client.channel(SocketAddress.inetSocketAddress(verticle.server().actualPort(), RpcBed.HOST));
  }

  private Future<Void> inVain(CallOptions options) {
    return channel.call(RpcRequest.to(BusyService.BINDING, 2).options(options).build());
  }

  private void served(RpcConnection at, int calls) {
    Waiting.until(() -> Waiting.await(at.snapshot()).calls().serving() == calls);
  }

  private void serves(String... procedures) {
    goesOn.release();
    Waiting.await(first);
    Waiting.await(channel.call(RpcRequest.to(BusyService.BINDING, 4).build()));
    assertThat(executed).containsExactly(procedures);
  }

  @Test
  @DisplayName("A call whose time is over is not executed")
  void timeOver() {
    Waiting.awaitFailure(inVain(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(200))));
    served(Waiting.next(connections), 1);
    serves("last");
  }

  @Test
  @DisplayName("A call that was cancelled is not executed")
  void cancelled() {
    RpcConnection at = Waiting.next(connections);
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = inVain(CallOptions.DEFAULT.withCancellation(cancellation));
    served(at, 2);
    cancellation.cancel();
    Waiting.awaitFailure(call);
    served(at, 1);
    serves("last");
  }

  @Test
  @DisplayName("A call whose session the server has forgotten is not executed")
  void sessionOver() {
    Waiting.next(connections);
    RpcConnection first = comeAndGo(2);
    // Its caller might come again over another connection.
    served(first, 1);
    // Of clients without a connection this server remembers one.
    RpcConnection second = comeAndGo(3);
    served(first, 0);
    served(second, 1);
    serves("remembered", "last");
  }

  /** Has another client call, and close. */
  private RpcConnection comeAndGo(int procedure) {
    RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setDrainTimeout(Duration.ofMillis(100)));
    Future<Void> call = channel(client).call(RpcRequest.to(BusyService.BINDING, procedure).build());
    RpcConnection at = Waiting.next(connections);
    served(at, 1);
    Waiting.await(client.close());
    Waiting.awaitFailure(call);
    return at;
  }

  @Test
  @DisplayName("A call that waits when its server is closed is not executed")
  void serverClosed() {
    RpcConnection at = Waiting.next(connections);
    inVain(CallOptions.DEFAULT);
    served(at, 2);
    Future<Void> closed = verticle.server().close();
    served(at, 0);
    goesOn.release();
    Waiting.await(closed);
    // What was handed over to the thread before comes first.
    Waiting.await(vertx.undeploy(deployment));
    assertThat(executed).isEmpty();
  }

  /** Fails if {@code Interceptors.around} has the service called without {@code CallInService.begin}. */
  @Test
  @DisplayName("A call that its caller gives up while an interceptor waits is not executed")
  void behindInterceptor() {
    Promise<Void> known = Promise.promise();
    Promise<Throwable> heard = Promise.promise();
    BlockingQueue<RpcConnection> waiting = new LinkedBlockingQueue<>();
    RpcServer server = RpcServer.builder(vertx).addServiceInterceptor((call, next) -> {
      waiting.add(call.connection());
      return known.future().compose(done -> next.handle(call)).onFailure(heard::complete);
    }).build().bind(new BusyService(executed, goesOn::acquireUninterruptibly));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel guarded =
        RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(guarded.connect());
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = guarded.call(
        RpcRequest.to(BusyService.BINDING, 2).options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
    RpcConnection at = Waiting.next(waiting);
    cancellation.cancel();
    Waiting.awaitFailure(call);
    served(at, 0);
    known.complete();
    assertThat(Waiting.await(heard.future())).isInstanceOf(RpcCancelledException.class);
    Waiting.await(guarded.call(RpcRequest.to(BusyService.BINDING, 4).build()));
    assertThat(executed).containsExactly("last");
  }
}
