// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verticles own the loops; contexts get their own results. */
class VerticlesTest {

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(8));
  private SocketAddress address;

  @BeforeEach
  void findPort() {
    address = SocketAddress.inetSocketAddress(FreePort.find(), RpcBed.HOST);
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Notes on which thread and context it runs. */
  private static final class Noting implements RpcService {

    private final EchoService echo = new EchoService();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();
    private final Set<Context> contexts = ConcurrentHashMap.newKeySet();

    @Override
    public UpperLayerBinding binding() {
      return echo.binding();
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      assertThat(RpcCall.current()).isSameAs(call);
      assertThat(call.millisLeft()).isPositive();
      threads.add(Thread.currentThread().getName());
      contexts.add(Vertx.currentContext());
      return echo.handle(call);
    }
  }

  private String deploy(Noting service, DeploymentOptions options) {
    return Waiting.await(vertx.deployVerticle(() -> new RpcServerVerticle(
        new RpcServerOptions(), address, server -> server.bind(service)), options));
  }

  private Future<Buffer> echo(RpcChannel channel) {
    return channel.call(EchoService.echo(new byte[10]));
  }

  @Test
  void fourInstancesShareAnAddressAndTheFirstMayGo() {
    Noting service = new Noting();
    String first = deploy(service, new DeploymentOptions());
    Noting others = new Noting();
    deploy(others, new DeploymentOptions().setInstances(3));
    RpcClient client = RpcClient.create(vertx);
    List<RpcChannel> channels = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      channels.add(client.channel(address));
      Waiting.await(echo(channels.get(i)));
    }
    assertThat(service.threads).hasSize(1);
    assertThat(others.threads).hasSize(3).doesNotContainAnyElementsOf(service.threads);
    Waiting.await(vertx.undeploy(first));
    service.threads.clear();
    channels.forEach(channel -> Waiting.await(echo(channel)));
    assertThat(service.threads).isEmpty();
    Waiting.await(client.close());
  }

  @Test
  void undeployingTheLastInstanceFreesTheAddress() {
    String only = deploy(new Noting(), new DeploymentOptions());
    Waiting.await(vertx.undeploy(only));
    deploy(new Noting(), new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    Waiting.await(echo(client.channel(address)));
    Waiting.await(client.close());
  }

  @Test
  void servicesOfWorkersRunOnWorkers() {
    Noting service = new Noting();
    deploy(service, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    RpcClient client = RpcClient.create(vertx);
    Waiting.await(echo(client.channel(address)));
    assertThat(service.threads).allSatisfy(name -> assertThat(name).contains("worker"));
    Waiting.await(client.close());
  }

  @Test
  void eachCallHasAContextOfItsOwn() {
    Noting service = new Noting();
    deploy(service, new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(address);
    for (int i = 0; i < 5; i++) {
      Waiting.await(echo(channel));
    }
    assertThat(service.contexts).hasSize(5);
    assertThat(service.threads).hasSize(1);
    Waiting.await(client.close());
  }

  @Test
  void resultsArriveOnTheContextOfTheCaller() {
    deploy(new Noting(), new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(address);
    Waiting.await(echo(channel));
    Context context = vertx.getOrCreateContext();
    Set<Boolean> same = new HashSet<>();
    Waiting.await(Future.future(promise -> context.runOnContext(v ->
        echo(channel).onComplete(result -> {
          same.add(Vertx.currentContext() == context);
          promise.complete();
        }))));
    assertThat(same).containsExactly(true);
    Waiting.await(client.close());
  }

  @Test
  void aClientVerticleFailsToDeployIfItsWorkFails() {
    Throwable failure = Waiting.awaitFailure(vertx.deployVerticle(new RpcClientVerticle(
        new RpcClientOptions(), address, channel -> echo(channel))));
    assertThat(failure).isInstanceOf(RpcConnectException.class);
    deploy(new Noting(), new DeploymentOptions());
    RpcClientVerticle verticle =
        new RpcClientVerticle(new RpcClientOptions(), address, channel -> echo(channel));
    String id = Waiting.await(vertx.deployVerticle(verticle));
    RpcChannel channel = verticle.channel();
    Waiting.await(vertx.undeploy(id));
    assertThat(Waiting.awaitFailure(echo(channel))).isInstanceOf(RpcClosedException.class);
  }
}
