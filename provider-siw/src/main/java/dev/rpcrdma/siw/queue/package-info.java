// SPDX-License-Identifier: Apache-2.0
/**
 * What is posted and what is outstanding on one queue pair: send queue, receive queue, the Reads
 * that this side asked for (bounded by ORD) and those that the peer asked for (bounded by IRD).
 *
 * <p>All are rings of primitives that grow up to their depth, so that posting and completing soon
 * allocate nothing. All are confined to the queue pair's event loop.
 */
package dev.rpcrdma.siw.queue;
