// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.QueuePair;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.lang.reflect.Proxy;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request that is answered while its listener closes. */
@NeedsRdmaHeaders
class RequestTest {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private final AtomicReference<Thread> rejecting = new AtomicReference<>();
  private final CountDownLatch about = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** The same, but that a rejecting thread stops where it asks for the workers. */
  private PairDevice stopping(PairDevice device) {
    return (PairDevice) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {PairDevice.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("workers") && Thread.currentThread() == rejecting.get()) {
            about.countDown();
            Waiting.await(goOn);
          }
          return method.invoke(device, arguments);
        });
  }

  /** Returns when all workers have met, and so each has done what it was given before. */
  private static void workersDone(PairDevice device) {
    CyclicBarrier all = new CyclicBarrier(IbverbsDevice.WORKERS);
    CountDownLatch met = new CountDownLatch(IbverbsDevice.WORKERS);
    for (int i = 0; i < IbverbsDevice.WORKERS; i++) {
      device.workers().run(() -> {
        try {
          all.await();
          met.countDown();
        } catch (InterruptedException | BrokenBarrierException e) {
          throw new IllegalStateException(e);
        }
      });
    }
    Waiting.await(met);
  }

  /** Fails if {@code Request.expire} takes for settled what another thread has only begun to reject. */
  @Test
  @DisplayName("B-133: a listener that closes waits for a rejection that its loop is about to hand to a worker")
  void aboutToReject() {
    try (VerbsBed bed = fabric.bed()) {
      PairDevice device = (PairDevice) bed.device();
      Listener listener = new Listener(stopping(device), (ContextInternal) bed.context(), request -> {
        rejecting.set(Thread.currentThread());
        request.reject(Buffer.buffer());
      });
      Waiting.await(listener.listen(bed.anyPort()));
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), bed.client(), FakeFabric.SHORT);
      Waiting.await(about);
      Future<Void> closed = listener.close();
      workersDone(device);
      assertThat(closed.isComplete()).isFalse();
      goOn.countDown();
      Waiting.await(closed);
      assertThat(Waiting.awaitFailure(connecting)).isInstanceOf(ConnectionRejectedException.class);
    }
  }
}
