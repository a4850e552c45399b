// SPDX-License-Identifier: Apache-2.0
/**
 * What providers have in common: the life of a queue pair ({@link dev.rpcrdma.verbs.support.PairLife}), upcalls in
 * turns and batches ({@link dev.rpcrdma.verbs.support.Upcalls}), event loops that stay awake for a while
 * ({@link dev.rpcrdma.verbs.support.BusyPoller}), contexts on the loop of another one
 * ({@link dev.rpcrdma.verbs.support.Loops}), registered memory that is not pinned
 * ({@link dev.rpcrdma.verbs.support.HostMemory}), and copies of files that may be truncated meanwhile
 * ({@link dev.rpcrdma.verbs.support.GuardedCopy}). For who implements a provider; consumers of one need nothing of it.
 */
package dev.rpcrdma.verbs.support;
