// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services that are served for a time. */
class UnbindTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Slow", 0x20060098, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("wait", 0, 0, ReplyBound.of(0))));

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final BlockingQueue<Promise<XdrEncoder>> served = new LinkedBlockingQueue<>();
  private final RpcBed bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions());

  /** Answers when the test wants. */
  private final class Slow implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      Promise<XdrEncoder> promise = Promise.promise();
      served.add(promise);
      return promise.future();
    }
  }

  /** Binds when it is deployed. */
  private String deploy(Runnable bind) {
    return Waiting.await(bed.vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        bind.run();
        return Future.succeededFuture();
      }
    }));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static Future<Void> call(RpcCaller caller) {
    return caller.call(RpcRequest.to(BINDING, 1).build());
  }

  private static boolean unknown(RpcConnection client) {
    return Waiting.awaitFailure(call(client)).getMessage().contains("has not announced");
  }

  private void answered(Future<Void> call) {
    Waiting.next(served).complete(XdrEncoder.VOID);
    Waiting.await(call);
  }

  private static void refused(Future<Void> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_UNAVAIL));
  }

  /** Fails if {@code ServedPrograms.judge} looks for changes only when it finds no service. */
  @Test
  @DisplayName("A service that is unbound answers what it has begun, and gets no other call; it may be bound again")
  void server() {
    bed.server.bind(new Slow());
    Future<Void> begun = call(bed.channel);
    Promise<XdrEncoder> first = Waiting.next(served);
    bed.server.unbind(BINDING).unbind(BINDING);
    assertThat(bed.server.bindings()).extracting(UpperLayerBinding::program).doesNotContain(BINDING.program());
    refused(call(bed.channel));
    first.complete(XdrEncoder.VOID);
    Waiting.await(begun);
    bed.server.bind(new Slow());
    answered(call(bed.channel));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    assertThat(Waiting.await(bed.channel.snapshot()).connections()).isOne();
  }

  /** Fails if {@code BoundServices.add} adds no hook. */
  @Test
  @DisplayName("A service that another verticle has bound goes with that verticle")
  void verticle() {
    String verticle = deploy(() -> bed.server.bind(new Slow()));
    answered(call(bed.channel));
    Waiting.await(bed.vertx.undeploy(verticle));
    refused(call(bed.channel));
    String next = deploy(() -> bed.server.bind(new Slow()));
    bed.server.unbind(BINDING).bind(new Slow());
    Waiting.await(bed.vertx.undeploy(next));
    // What it had bound was another service of the same program.
    answered(call(bed.channel));
  }

  /** Fails if {@code RpcConnectionImpl.unserve} frees the program of a service that the connection itself has. */
  @Test
  @DisplayName("A service of one connection stays when that of all connections goes")
  void ofOneConnection() {
    bed.server.connectionHandler(accepted::add);
    Waiting.await(bed.channel.connect());
    Waiting.next(accepted).bind(new Slow());
    bed.server.bind(new Slow());
    answered(call(bed.channel));
    bed.server.unbind(BINDING);
    answered(call(bed.channel));
  }

  /** Fails if {@code RpcConnectionImpl.bind} goes by what was served when the last call came. */
  @Test
  @DisplayName("Whether a connection may serve a program depends on what its server serves now")
  void afterwards() {
    bed.server.connectionHandler(accepted::add).bind(new Slow());
    Waiting.await(bed.channel.connect());
    RpcConnection connection = Waiting.next(accepted);
    answered(call(bed.channel));
    bed.server.unbind(BINDING);
    connection.bind(new Slow());
    answered(call(bed.channel));
    assertThatThrownBy(() -> connection.bind(new Slow())).isInstanceOf(IllegalArgumentException.class);
    bed.server.unbind(EchoService.BINDING).bind(bed.service);
    assertThatThrownBy(() -> connection.bind(new EchoService())).isInstanceOf(IllegalArgumentException.class);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
  }

  /** Fails if {@code RpcChannelImpl.unbind} does not tell the server. */
  @Test
  @DisplayName("A service of a channel goes, too, and the server hears so")
  void channel() {
    bed.server.connectionHandler(accepted::add);
    bed.channel.bind(new Slow());
    Waiting.await(bed.channel.connect());
    RpcConnection peer = Waiting.next(accepted);
    answered(call(peer));
    bed.channel.unbind(BINDING);
    Waiting.until(() -> unknown(peer));
    String verticle = deploy(() -> bed.channel.bind(new Slow()));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    answered(call(peer));
    Waiting.await(bed.vertx.undeploy(verticle));
    Waiting.until(() -> unknown(peer));
  }

  /** Fails if {@code RpcChannelImpl.tellAgain} does not look whether there are services; others connect meanwhile. */
  @Test
  @DisplayName("R-235: a channel connects again by itself while it has services, and not when they are gone")
  void keepsConnected() {
    bed.server.connectionHandler(accepted::add);
    bed.channel.bind(new Slow());
    Waiting.await(bed.channel.connect());
    RpcConnection first = Waiting.next(accepted);
    answered(call(first));
    first.close();
    RpcConnection again = Waiting.next(accepted);
    // Sent when the server has heard of the services.
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    answered(call(again));
    bed.channel.unbind(BINDING);
    Waiting.until(() -> unknown(again));
    Waiting.await(again.close());
    Waiting.until(() -> !Waiting.await(bed.channel.snapshot()).connected());
    try (RpcBed other = new RpcBed(new RpcServerOptions(), new RpcClientOptions())) {
      Waiting.await(other.channel.call(EchoService.echo(new byte[1])));
    }
    assertThat(accepted).isEmpty();
    bed.channel.bind(new Slow());
    RpcConnection last = Waiting.next(accepted);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    answered(call(last));
  }

  /** Fails if {@code RpcChannelImpl.keepConnectedToServe} does not ask whether it has been connected before. */
  @Test
  @DisplayName("R-235: a channel that has never been connected does not connect for its services; others connect"
      + " meanwhile")
  void neverConnected() {
    bed.server.connectionHandler(accepted::add);
    bed.channel.bind(new Slow());
    assertThat(Waiting.await(bed.channel.snapshot()).connected()).isFalse();
    try (RpcBed other = new RpcBed(new RpcServerOptions(), new RpcClientOptions())) {
      Waiting.await(other.channel.call(EchoService.echo(new byte[1])));
    }
    assertThat(accepted).isEmpty();
    Waiting.await(bed.channel.connect());
    answered(call(Waiting.next(accepted)));
  }

  /** Fails if {@code Requester} treats calls of the control program as others, or {@code queueAhead} turns them round. */
  @Test
  @DisplayName("The server hears of services while as many calls wait as may, and ahead of these")
  void fullQueue() {
    try (RpcBed narrow = new RpcBed(new RpcServerOptions(),
        new RpcClientOptions().setForwardCredits(1).setMaxQueuedCalls(1))) {
      narrow.server.connectionHandler(accepted::add).bind(new Slow());
      Future<Void> executed = call(narrow.channel);
      Promise<XdrEncoder> first = Waiting.next(served);
      Future<Void> queued = call(narrow.channel);
      assertThat(Waiting.awaitFailure(call(narrow.channel))).isInstanceOf(RpcTransportException.class)
          .hasMessageContaining("maxQueuedCalls");
      narrow.channel.bind(new Slow()).bind(new EchoService());
      first.complete(XdrEncoder.VOID);
      Waiting.await(executed);
      Promise<XdrEncoder> second = Waiting.next(served);
      Waiting.await(Waiting.next(accepted).call(EchoService.echo(new byte[1])));
      second.complete(XdrEncoder.VOID);
      Waiting.await(queued);
      assertThat(Waiting.await(narrow.channel.snapshot()).connections()).isOne();
    }
  }
}
