// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.LedgerService;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Workers that call a {@link LedgerService}, one call after the other, and check each answer. */
public final class LedgerLoad {

  private static final int WORKERS = 12;

  private final RpcCaller caller;
  private final Random random;
  private final AtomicLong made = new AtomicLong();
  private final CallLoops loops;
  private volatile Promise<Void> next = Promise.promise();

  /** Begins to call. */
  public LedgerLoad(RpcCaller caller, int seed) {
    this.caller = caller;
    this.random = new Random(seed);
    loops = new CallLoops(WORKERS, this::call);
  }

  private Future<?> call() {
    byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(20_000)
        : random.nextInt(200)];
    random.nextBytes(bytes);
    return caller.call(LedgerService.request(LedgerService.ADD, made.getAndIncrement(), bytes))
        .map(answer -> {
          assertThat(answer.getBytes()).isEqualTo(LedgerService.reverse(bytes));
          Promise<Void> told = next;
          next = Promise.promise();
          told.tryComplete();
          return answer;
        });
  }

  /** Completes when a call has ended; fails if a worker has. */
  public Future<Void> progress() {
    Promise<Void> progress = Promise.promise();
    next.future().onSuccess(progress::tryComplete);
    loops.ended().onFailure(progress::tryFail);
    return progress.future();
  }

  /** Makes no more calls; completes when those that were made have ended. */
  public Future<?> stop() {
    return loops.stop();
  }

  /** How many calls were made. */
  public long made() {
    return made.get();
  }

  /** Each call was executed once. */
  public void check(LedgerService service) {
    assertThat(service.size()).isEqualTo((int) made.get());
    for (long number = 0; number < made.get(); number++) {
      assertThat(service.executions(number)).as("executions of call %d", number).isEqualTo(1);
    }
  }
}
