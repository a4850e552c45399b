// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Services that block, and callers that make more calls than are served. */
class BlockingServicesTest {

  private static final int CALLS = 4;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final CountDownLatch all = new CountDownLatch(CALLS);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Blocks its thread until there are as many calls as the test makes, or for a moment if they do not come. */
  private final class Blocking implements RpcService {

    private final boolean together;

    Blocking(boolean together) {
      this.together = together;
    }

    @Override
    public UpperLayerBinding binding() {
      return EchoService.BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      assertThat(RpcCall.current()).isSameAs(call);
      Context mine = Vertx.currentContext();
      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      all.countDown();
      try {
        all.await(together ? 20_000 : 20, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      assertThat(Vertx.currentContext()).isSameAs(mine);
      atOnce.decrementAndGet();
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  private void callAll(ThreadingModel threads, boolean parallel) {
    assumeTrue(threads != ThreadingModel.VIRTUAL_THREAD || ((VertxInternal) vertx).isVirtualThreadAvailable(),
        "This JDK has no virtual threads");
    RpcServerVerticle verticle = new RpcServerVerticle(new RpcServerOptions().setParallelServices(parallel),
        SocketAddress.inetSocketAddress(0, RpcBed.HOST), server -> server.bind(new Blocking(parallel)));
    Waiting.await(vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(threads)));
    RpcChannel channel = RpcClient.create(vertx)
        .channel(SocketAddress.inetSocketAddress(verticle.server().actualPort(), RpcBed.HOST));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(channel.call(EchoService.call(EchoService.NEVER)));
    }
    Waiting.await(Future.all(calls));
  }

  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"WORKER", "VIRTUAL_THREAD"})
  @DisplayName("Calls are served at once if that is asked for")
  void parallel(ThreadingModel threads) {
    callAll(threads, true);
    assertThat(most).hasValue(CALLS);
  }

  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"EVENT_LOOP", "WORKER", "VIRTUAL_THREAD"})
  @DisplayName("Calls are served one after the other by default")
  void serial(ThreadingModel threads) {
    callAll(threads, false);
    assertThat(most).hasValue(1);
  }

  @Test
  @DisplayName("A channel says when it has enough calls, and when it takes more")
  void backPressure() {
    try (RpcBed bed = new RpcBed("siw")) {
      CountDownLatch drained = new CountDownLatch(1);
      bed.channel.setWriteQueueMaxSize(4).drainHandler(none -> drained.countDown());
      List<Future<?>> calls = new ArrayList<>();
      while (!bed.channel.writeQueueFull()) {
        calls.add(bed.channel.call(EchoService.call(EchoService.NEVER)));
      }
      assertThat(calls).hasSize(4);
      Waiting.until(() -> bed.service.never.size() == 4);
      bed.service.never.get(0).complete(XdrEncoder.VOID);
      Waiting.await(calls.get(0));
      assertThat(drained.getCount()).as("half of it is to be free").isEqualTo(1);
      bed.service.never.get(1).complete(XdrEncoder.VOID);
      Waiting.await(drained);
      assertThat(bed.channel.writeQueueFull()).isFalse();
      bed.service.never.forEach(promise -> promise.tryComplete(XdrEncoder.VOID));
      Waiting.await(Future.all(calls));
      assertThatThrownBy(() -> bed.channel.setWriteQueueMaxSize(0)).hasMessageContaining("at least");
    }
  }

  @Test
  @DisplayName("Whoever finds a channel full and then says what to call is called, though it has drained meanwhile")
  void drainedMeanwhile() {
    try (RpcBed bed = new RpcBed("siw")) {
      bed.channel.setWriteQueueMaxSize(1);
      Future<Void> call = bed.channel.call(EchoService.call(EchoService.NEVER));
      assertThat(bed.channel.writeQueueFull()).isTrue();
      Waiting.until(() -> bed.service.never.size() == 1);
      bed.service.never.get(0).complete(XdrEncoder.VOID);
      Waiting.await(call);
      Waiting.until(() -> !bed.channel.writeQueueFull());
      CountDownLatch drained = new CountDownLatch(1);
      bed.channel.drainHandler(none -> drained.countDown());
      Waiting.await(drained);
    }
  }

  /** Fails if {@code RpcChannelImpl.drainHandler} hands the handler on as it is. */
  @Test
  @DisplayName("A worker hears that its channel has drained on a worker, where it may block")
  void drainedWorker() {
    try (RpcBed bed = new RpcBed("siw")) {
      BlockingQueue<Boolean> onWorker = new LinkedBlockingQueue<>();
      Waiting.await(bed.vertx.deployVerticle(new VerticleBase() {
        @Override
        public Future<?> start() {
          RpcChannel channel = RpcClient.create(vertx).channel(bed.address());
          channel.setWriteQueueMaxSize(1).drainHandler(none -> onWorker.add(Context.isOnWorkerThread()));
          Future<Void> call = channel.call(EchoService.call(EchoService.NEVER));
          assertThat(channel.writeQueueFull()).isTrue();
          return Future.succeededFuture();
        }
      }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
      Waiting.until(() -> bed.service.never.size() == 1);
      bed.service.never.get(0).complete(XdrEncoder.VOID);
      assertThat(Waiting.next(onWorker)).isTrue();
    }
  }

  @Test
  @DisplayName("Calls that fail, in whatever way, leave the queue too")
  void failures() {
    try (RpcBed bed = new RpcBed("siw")) {
      bed.channel.setWriteQueueMaxSize(1);
      Waiting.awaitFailure(bed.channel.call(EchoService.call(EchoService.STATUS)));
      Cancellation cancellation = Cancellation.create();
      Future<Void> never = bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
      Waiting.until(() -> bed.service.never.size() == 1);
      assertThat(bed.channel.writeQueueFull()).isTrue();
      cancellation.cancel();
      Waiting.awaitFailure(never);
      Waiting.awaitFailure(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
          .arguments(writer -> {
            throw new IllegalStateException("on purpose");
          }).build()));
      assertThat(bed.channel.writeQueueFull()).isFalse();
      bed.service.never.get(0).complete(XdrEncoder.VOID);
    }
  }
}
