// SPDX-License-Identifier: Apache-2.0
/**
 * An RDMA fabric inside one process: the provider {@code memory}, for tests.
 *
 * <p>It is a provider like any other, found by its name and held to
 * {@link dev.rpcrdma.testkit.VerbsProviderContract}, but needs no sockets and no hardware. Listeners are known to the
 * process by host and port, event loops hand each other work requests by tasks, and each byte is copied once, from its
 * source to its sink, by the event loop that it is aimed at. Faults come from settings, by a seed
 * ({@link dev.rpcrdma.testkit.fabric.MemoryOptions}), or from the test
 * ({@link dev.rpcrdma.testkit.fabric.MemoryFabric}). Both concern the way between two ends, which no decorator of one
 * end can reach; what goes wrong at one end is for {@link dev.rpcrdma.testkit.FaultyProvider} and
 * {@link dev.rpcrdma.testkit.DelayedCompletions}, which wrap this provider as they do any other.
 *
 * <h2>How the pieces fit</h2>
 *
 * <pre>
 *   FabricDevice ── FabricListener ── IncomingRequest ◀── FabricConnecting      coming up
 *        │
 *   FabricQueuePair ── Endpoint ── Lane ──▶ Endpoint ── FabricQueuePair   up: a FabricWire has two lanes
 *                         │                    │
 *                     WorkQueues           Placement                      what was posted, and is carried out
 * </pre>
 */
package dev.rpcrdma.testkit.fabric;
