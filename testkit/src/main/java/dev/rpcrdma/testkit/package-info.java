// SPDX-License-Identifier: Apache-2.0
/**
 * What providers, and what is built on them, are tested with.
 *
 * <h2>For authors of providers</h2>
 *
 * <p>Add this module with test scope and let one test class implement
 * {@link dev.rpcrdma.testkit.VerbsProviderContract}: it inherits the whole suite. Each test opens a
 * device of its own in a {@link dev.rpcrdma.testkit.VerbsBed}, which on closing checks that no rule
 * of upcalls was broken and that no registration is left. If a device needs settings, override
 * {@code deviceOptions}. Tests of your own can use the same bed, with
 * {@link dev.rpcrdma.testkit.Peer}s driven from the test's thread.
 *
 * <h2>For what is built on providers</h2>
 *
 * <p>{@link dev.rpcrdma.testkit.fabric} has a provider of its own, {@code memory}, whose connections are cut, delayed
 * and held back as a test wants. {@link dev.rpcrdma.testkit.DelayedCompletions} wraps any provider and delays the
 * completions of its send queues, to find code that relies on their being in time.
 * {@link dev.rpcrdma.testkit.FaultyProvider} wraps any provider and lets chosen steps fail, to find
 * code that hangs or leaks when they do: count the steps of a run without faults, then run once for
 * each of them with {@link dev.rpcrdma.testkit.FaultPlan#at}.
 * {@link dev.rpcrdma.testkit.LeakCheck} asserts that nothing is left registered or exposed.
 * {@link dev.rpcrdma.testkit.Recording} reads a capture back, to see what has crossed the wire.
 * {@link dev.rpcrdma.testkit.ManualPage} compares the code of the manual with sources.
 *
 * <p>Tests against a real Linux kernel: {@link dev.rpcrdma.testkit.lab}.
 */
package dev.rpcrdma.testkit;
