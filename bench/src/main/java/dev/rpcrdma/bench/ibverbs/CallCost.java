// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.ibverbs;

import dev.rpcrdma.bench.measure.Allocations;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a call costs, both of its ends together.
 *
 * @param allocated bytes, by event loops
 * @param byName system calls, by name and what their descriptor is of, without those of less than one call in a
 *     hundred
 */
public record CallCost(double allocated, Map<String, Double> byName) {

  private static final double LEAST = 0.01;

  /**
   * Measures.
   *
   * @param device the RDMA device
   * @param host an address of it
   * @param epoll whether event loops hear of completions themselves
   * @param calls how many
   * @param outstanding how many at a time
   * @return what one of them costs
   * @throws IOException if there is no strace
   * @throws InterruptedException if this thread is interrupted
   */
  public static CallCost of(String device, String host, boolean epoll, int calls, int outstanding)
      throws IOException, InterruptedException {
    try (DeviceCalls made = new DeviceCalls(device, host, epoll)) {
      // Classes are loaded, and memory is registered.
      made.call(calls, outstanding);
      long before = Allocations.ofEventLoops();
      made.call(calls, outstanding);
      double allocated = (Allocations.ofEventLoops() - before) / (double) calls;
      SystemCalls counted = SystemCalls.start();
      made.call(calls, outstanding);
      Map<String, Double> byName = new TreeMap<>();
      counted.stop().forEach((name, count) -> byName.put(name, count / (double) calls));
      byName.values().removeIf(count -> count < LEAST);
      return new CallCost(allocated, byName);
    }
  }

  /** All of them. */
  public double systemCalls() {
    return byName.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
