package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
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
    NetServer probe = vertx.createNetServer().connectHandler(socket -> {});
    Await.success(probe.listen(0, RpcBed.HOST));
    address = SocketAddress.inetSocketAddress(probe.actualPort(), RpcBed.HOST);
    Await.success(probe.close());
  }

  @AfterEach
  void close() {
    Await.success(vertx.close());
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
    return Await.success(vertx.deployVerticle(() -> new RpcServerVerticle(
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
      Await.success(echo(channels.get(i)));
    }
    assertThat(service.threads).hasSize(1);
    assertThat(others.threads).hasSize(3).doesNotContainAnyElementsOf(service.threads);
    Await.success(vertx.undeploy(first));
    service.threads.clear();
    channels.forEach(channel -> Await.success(echo(channel)));
    assertThat(service.threads).isEmpty();
    Await.success(client.close());
  }

  @Test
  void undeployingTheLastInstanceFreesTheAddress() {
    String only = deploy(new Noting(), new DeploymentOptions());
    Await.success(vertx.undeploy(only));
    deploy(new Noting(), new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    Await.success(echo(client.channel(address)));
    Await.success(client.close());
  }

  @Test
  void servicesOfWorkersRunOnWorkers() {
    Noting service = new Noting();
    deploy(service, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    RpcClient client = RpcClient.create(vertx);
    Await.success(echo(client.channel(address)));
    assertThat(service.threads).allSatisfy(name -> assertThat(name).contains("worker"));
    Await.success(client.close());
  }

  @Test
  void eachCallHasAContextOfItsOwn() {
    Noting service = new Noting();
    deploy(service, new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(address);
    for (int i = 0; i < 5; i++) {
      Await.success(echo(channel));
    }
    assertThat(service.contexts).hasSize(5);
    assertThat(service.threads).hasSize(1);
    Await.success(client.close());
  }

  @Test
  void resultsArriveOnTheContextOfTheCaller() {
    deploy(new Noting(), new DeploymentOptions());
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(address);
    Await.success(echo(channel));
    Context context = vertx.getOrCreateContext();
    Set<Boolean> same = new HashSet<>();
    Await.success(Future.future(promise -> context.runOnContext(v ->
        echo(channel).onComplete(result -> {
          same.add(Vertx.currentContext() == context);
          promise.complete();
        }))));
    assertThat(same).containsExactly(true);
    Await.success(client.close());
  }

  @Test
  void aClientVerticleFailsToDeployIfItsWorkFails() {
    Throwable failure = Await.failure(vertx.deployVerticle(new RpcClientVerticle(
        new RpcClientOptions(), address, channel -> echo(channel))));
    assertThat(failure).isInstanceOf(ConnectFailedException.class);
    deploy(new Noting(), new DeploymentOptions());
    RpcClientVerticle verticle =
        new RpcClientVerticle(new RpcClientOptions(), address, channel -> echo(channel));
    String id = Await.success(vertx.deployVerticle(verticle));
    RpcChannel channel = verticle.channel();
    Await.success(vertx.undeploy(id));
    assertThat(Await.failure(echo(channel))).isInstanceOf(RpcClosedException.class);
  }
}
