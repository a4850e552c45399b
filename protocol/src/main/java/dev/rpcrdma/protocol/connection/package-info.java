/**
 * One RPC-over-RDMA connection as a state machine.
 *
 * <p>{@link dev.rpcrdma.protocol.connection.ConnectionMachine} is the whole of it. It holds one
 * requester and one responder, the same on both ends, and what the two share: the router that tells
 * calls from replies, the queue of Sends and Writes, the queue of Reads, the table of exposures and
 * the heap of deadlines. Who embeds it
 *
 * <ol>
 *   <li>carries out what it asks of {@link dev.rpcrdma.protocol.connection.Fabric} and
 *       {@link dev.rpcrdma.protocol.connection.Memory};
 *   <li>reports what happened by the methods named after events, one at a time, on one thread;
 *   <li>calls {@code advance(now)} when {@code nextDeadline()} has come;
 *   <li>keeps {@code receives()} Receives posted, and reposts each as soon as {@code received}
 *       returns.
 * </ol>
 *
 * <p>OPTIONAL header types are off unless the embedder sends one ({@code extension}) or serves one
 * ({@link dev.rpcrdma.protocol.connection.HeaderExtension}).
 *
 * <p>The machine never reads a clock, never blocks, and never starts a thread.
 */
package dev.rpcrdma.protocol.connection;
