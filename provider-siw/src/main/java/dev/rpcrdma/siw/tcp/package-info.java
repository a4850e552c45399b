/**
 * The shell round the stream machines: the only package that touches a socket, a clock or an event
 * loop.
 *
 * <p>A {@link dev.rpcrdma.siw.tcp.Link} is one TCP channel; what it reads goes to its current
 * {@link dev.rpcrdma.siw.tcp.Link.Phase}: startup as initiator or responder, then the
 * {@link dev.rpcrdma.siw.tcp.SiwQueuePair}.
 *
 * <h2>Memory</h2>
 *
 * <p>Bytes are read in bulk into a staging buffer, checked there, and copied once to their place.
 * Small messages are gathered in a staging buffer and leave in one write; large payloads leave from
 * where they are, except mapped files, which are copied before their CRC is computed. Staging
 * buffers belong to a loop and are lent to a connection while it has bytes in them.
 *
 * <h2>Turns</h2>
 *
 * <p>All upcalls of a queue pair are made in a turn of its loop: while bytes are handled, or by one
 * scheduled task. Whatever completes inside a method of the queue pair waits for such a turn.
 *
 * <p>While the rest of a message or the Response to a Read is to come, {@link
 * dev.rpcrdma.verbs.support.BusyPoller} keeps the loop awake for a while; if that is wanted, after other turns
 * too.
 */
package dev.rpcrdma.siw.tcp;
