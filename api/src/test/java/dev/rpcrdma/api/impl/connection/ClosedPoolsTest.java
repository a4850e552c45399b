// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Verticles whose worker pool is closed while calls of theirs are under way: connections do not end for it. */
class ClosedPoolsTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Slow", 0x20060097, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("wait", 0, 0, ReplyBound.of(0))));

  private final BlockingQueue<RpcCall> served = new LinkedBlockingQueue<>();
  private final Promise<XdrEncoder> later = Promise.promise();
  private final RpcBed bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions());

  /** Answers when the test wants. */
  private final class Slow implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      call.abandonHandler(none -> { });
      served.add(call);
      return later.future();
    }
  }

  @AfterEach
  void close() {
    later.tryComplete(XdrEncoder.VOID);
    bed.close();
  }

  /** Deploys a verticle with a worker pool of its own, which its end closes. */
  private String deploy(Supplier<Future<?>> start) {
    return Waiting.await(bed.vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return start.get();
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("short")
        .setWorkerPoolSize(1)));
  }

  private Future<Void> call(Cancellation cancellation) {
    return bed.channel.call(RpcRequest.to(BINDING, 1)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
  }

  private void stillTheFirstConnection() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    assertThat(Waiting.await(bed.channel.snapshot()).connections()).isOne();
  }

  /** Fails if {@code CallBeingServed.abandon} calls its handler by {@code Contexts.emit}. */
  @Test
  @DisplayName("Calls are given up whose service's threads have ended: each of them, and nothing else")
  void servicesGone() {
    String verticle = deploy(() -> {
      bed.server.bind(new Slow());
      return Future.succeededFuture();
    });
    Cancellation cancellation = Cancellation.create();
    Future<Void> first = call(cancellation);
    Future<Void> second = call(cancellation);
    RpcConnection at = Waiting.next(served).connection();
    Waiting.next(served);
    Waiting.await(bed.vertx.undeploy(verticle));
    cancellation.cancel();
    Waiting.awaitFailure(first);
    Waiting.awaitFailure(second);
    Waiting.until(() -> Waiting.await(at.snapshot()).calls().serving() == 0);
    stillTheFirstConnection();
  }

  /** Fails if {@code Contexts.promise} is a plain promise. */
  @Test
  @DisplayName("A reply to a caller whose threads have ended is nobody's, and costs nothing else")
  void callersGone() {
    bed.server.bind(new Slow());
    BlockingQueue<Future<Void>> made = new LinkedBlockingQueue<>();
    String verticle = deploy(() -> {
      made.add(call(Cancellation.create()).onComplete(any -> { }));
      return Future.succeededFuture();
    });
    Future<Void> call = Waiting.next(made);
    Waiting.next(served);
    Waiting.await(bed.vertx.undeploy(verticle));
    later.complete(XdrEncoder.VOID);
    Waiting.until(call::isComplete);
    stillTheFirstConnection();
  }
}
