// SPDX-License-Identifier: Apache-2.0
/**
 * The device: its listeners, its connections in startup as initiator or responder, and its queue pairs. What a {@link
 * dev.rpcrdma.siw.transport.Link} reads goes to its current phase: startup, then the {@link
 * dev.rpcrdma.siw.device.SiwConnection} of a queue pair.
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
package dev.rpcrdma.siw.device;
