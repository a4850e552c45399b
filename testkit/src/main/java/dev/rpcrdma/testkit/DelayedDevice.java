// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsDevice;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The device of {@link DelayedCompletions}: wraps each queue pair on its way to the consumer. */
final class DelayedDevice extends DecoratedDevice {

  private final AtomicLong seeds;
  private final int maxTurns;

  DelayedDevice(VerbsDevice delegate, long seed, int maxTurns) {
    super(delegate);
    this.seeds = new AtomicLong(seed);
    this.maxTurns = maxTurns;
  }

  /** Completions that come later tell of messages that others may have followed. */
  @Override
  public DeviceAttributes attributes() {
    return super.attributes().withoutSerialReceives();
  }

  @Override
  DecoratedQueuePair decorate(QueuePair queuePair, ConnectionOptions options) {
    return new DelayedQueuePair(queuePair, options, new Random(seeds.getAndIncrement()), maxTurns);
  }
}
