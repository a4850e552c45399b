// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What it costs that an event loop hears of completions by another thread. */
public final class HopCost {

  private static final int ROUNDS = 101;
  private static final long ROUND_MILLIS = 1_000;

  private HopCost() {}

  /**
   * Wakes a sleeping event loop as each completion would, some hundred times. Waits for it.
   *
   * @return the median, in nanoseconds; empty if it could not be measured
   * @throws VerbsException of kind UNAVAILABLE if this machine has no epoll
   */
  public static OptionalLong measure() {
    IoEventLoop polling = PollingLoop.get();
    MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
        new DefaultThreadFactory("rpcrdma-hop", true), NioIoHandler.newFactory());
    try {
      long[] nanos = new long[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        nanos[round] = wake(polling, group.next());
      }
      Arrays.sort(nanos);
      return OptionalLong.of(nanos[ROUNDS / 2]);
    } catch (ExecutionException | TimeoutException e) {
      return OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static long wake(IoEventLoop polling, EventLoop sleeping)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Long> woken = new CompletableFuture<>();
    polling.execute(() -> {
      long begun = System.nanoTime();
      sleeping.execute(() -> woken.complete(System.nanoTime() - begun));
    });
    return woken.get(ROUND_MILLIS, TimeUnit.MILLISECONDS);
  }
}
