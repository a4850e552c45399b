// SPDX-License-Identifier: Apache-2.0
/**
 * What a connection lends to its messages: the queue of Sends and Writes, the queue of Reads, the ranges of memory
 * that the peer can reach, and memory itself. What the embedder has to carry out is asked of
 * {@link dev.rpcrdma.protocol.fabric.Fabric} and {@link dev.rpcrdma.protocol.fabric.Memory}.
 */
package dev.rpcrdma.protocol.fabric;
