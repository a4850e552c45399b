// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;

/**
 * A provider that delays the completions of its send queues, as real devices do: a reply often
 * arrives before the completion of its call's Send. Wrap any provider in it and run the same tests.
 *
 * <p>Each completion of the send queue is held for 0 to {@code maxTurns} turns of the event loop,
 * drawn from the seed, while Receive completions and all other upcalls go on. The rules of the
 * contract hold: completions of the send queue stay in order, a slot is free only when its
 * completion was delivered, and {@code disconnected} comes last.
 *
 * <pre>{@code
 * VerbsProvider provider = new DelayedCompletions(new SiwProvider(), seed, 8);
 * }</pre>
 */
public final class DelayedCompletions extends DecoratedProvider {

  private final long seed;
  private final int maxTurns;

  /**
   * Wraps a provider.
   *
   * @param delegate the provider
   * @param seed of the delays; print it when a test fails
   * @param maxTurns longest delay, in turns of the event loop
   */
  public DelayedCompletions(VerbsProvider delegate, long seed, int maxTurns) {
    super(delegate);
    this.seed = seed;
    this.maxTurns = maxTurns;
  }

  @Override
  VerbsDevice decorate(VerbsDevice device) {
    return new DelayedDevice(device, seed, maxTurns);
  }
}
