// SPDX-License-Identifier: Apache-2.0
/**
 * One RPC-over-RDMA connection as a state machine.
 *
 * <p>{@link dev.rpcrdma.protocol.connection.ConnectionMachine} is the whole of it. It holds one
 * requester and one responder, the same on both ends, and what the two share: the router that tells
 * calls from replies, the queue of Sends and Writes, the queue of Reads and the table of exposures.
 * Who embeds it
 *
 * <ol>
 *   <li>carries out what it asks of {@link dev.rpcrdma.protocol.fabric.Fabric} and
 *       {@link dev.rpcrdma.protocol.fabric.Memory};
 *   <li>reports what happened by the methods named after events, one at a time, on one thread;
 *   <li>advances the {@link dev.rpcrdma.protocol.time.Deadlines} of all machines of that thread in time;
 *   <li>takes the steps there that others ask for by {@link dev.rpcrdma.protocol.fabric.LoopPort};
 *   <li>keeps {@code receives()} Receives posted, and reposts each as soon as {@code received}
 *       returns.
 * </ol>
 *
 * <p>OPTIONAL header types are off unless the embedder sends one ({@code extension}) or serves one
 * ({@link dev.rpcrdma.protocol.responder.HeaderExtension}).
 *
 * <p>The machine never reads a clock, never blocks, and never starts a thread.
 */
package dev.rpcrdma.protocol.connection;
