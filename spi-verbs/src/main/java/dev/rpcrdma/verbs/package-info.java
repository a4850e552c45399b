// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs: devices, memory, queue pairs and completions.
 *
 * <h2>How the pieces fit</h2>
 *
 * <p>A {@link dev.rpcrdma.verbs.VerbsProvider} is found by {@link java.util.ServiceLoader} and opens
 * a {@link dev.rpcrdma.verbs.VerbsDevice}. The device listens and connects; each connection is one
 * {@link dev.rpcrdma.verbs.QueuePair}. Memory of a {@link dev.rpcrdma.verbs.ProtectionDomain} is
 * registered once as {@link dev.rpcrdma.verbs.LocalMemory}, and made reachable for one peer, for a
 * while, by an {@link dev.rpcrdma.verbs.Exposure}.
 *
 * <h2>Threading</h2>
 *
 * <p>A queue pair belongs to the event loop of the context that connected or accepted it. All its
 * methods are called there, and all its upcalls come there. <b>No upcall is ever made from inside
 * a method of this package</b>: posting, flushing, exposing, revoking and closing return first, and
 * what follows from them arrives in a later turn of the loop.
 *
 * <h2>Life of a queue pair</h2>
 *
 * <pre>
 *   setup ──▶ established ──▶ (completions, exposures, revocations, batchEnd)* ──▶ disconnected
 *     └────────────────────────── connect or accept failed ────────────────────────────▲
 * </pre>
 *
 * <p>Once setup has returned a handler, {@code disconnected} is always its last upcall, exactly
 * once, after each posted work request has completed exactly once and each pending exposure or
 * revocation has been answered.
 *
 * <h2>Errors</h2>
 *
 * <p>What the caller did wrong (a length outside the memory, a full queue) is an exception thrown at
 * once and changes nothing. What the device or the peer did comes as a completion status, a failed
 * future of type {@link dev.rpcrdma.verbs.VerbsException}, or a
 * {@link dev.rpcrdma.verbs.DisconnectReason}.
 */
package dev.rpcrdma.verbs;
