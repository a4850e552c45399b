// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.junit.jupiter.api.Test;

/** What a small call allocates on the event loops of both ends: twice what was reached, and no more. */
class CallAllocationTest {

  private static final int OUTSTANDING = 16;
  private static final int WARM_UP = 30_000;
  private static final int CALLS = 10_000;
  private static final long MOST = 4096;

  private static final ThreadMXBean THREADS =
      (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final byte[] bytes = new byte[128];
  private int begun;
  private int ended;

  private static long allocated() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains("eventloop")) {
        sum += THREADS.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return sum;
  }

  private void next(RpcBed bed, int calls, Promise<Void> done) {
    if (begun == calls) {
      return;
    }
    begun++;
    bed.channel.call(EchoService.echo(bytes)).onComplete((echo, failure) -> {
      if (failure != null) {
        done.tryFail(failure);
      } else if (++ended == calls) {
        done.tryComplete();
      } else {
        next(bed, calls, done);
      }
    });
  }

  private void run(RpcBed bed, Context context, int calls) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(go -> {
      begun = 0;
      ended = 0;
      for (int i = 0; i < OUTSTANDING; i++) {
        next(bed, calls, done);
      }
    });
    Waiting.await(done.future());
  }

  @Test
  void aSmallCallAllocatesLittle() {
    try (RpcBed bed = new RpcBed("siw")) {
      Context context = bed.vertx.getOrCreateContext();
      run(bed, context, WARM_UP);
      long before = allocated();
      assertThat(before).as("bytes until now").isPositive();
      run(bed, context, CALLS);
      assertThat((allocated() - before) / CALLS).as("bytes for a call").isLessThan(MOST);
    }
  }
}
