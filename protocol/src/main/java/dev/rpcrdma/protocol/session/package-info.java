// SPDX-License-Identifier: Apache-2.0
/**
 * What outlives a connection: the calls of one end, which are sent again over the next connection, and
 * the memory of the other end, which answers a call that comes again and does not execute it again.
 *
 * <p><b>The promise.</b> A call of a {@link dev.rpcrdma.protocol.session.ChannelMachine} has one outcome.
 * Within a session it is executed once, if it may not be repeated; if the peer shows another session, or
 * none, calls that it may have executed fail, and say so. Calls that only look are sent again in any case.
 *
 * <p><b>How.</b> Calls are known by slots ({@link dev.rpcrdma.protocol.requester.XidSlots}). The peer keeps
 * one entry for each slot ({@link dev.rpcrdma.protocol.session.SessionCache}), from the arrival of a call's
 * header until another call comes in that slot. Accepting a connection fences all before it. A client and its
 * server remember or forget together ({@link dev.rpcrdma.protocol.session.ClientSession},
 * {@link dev.rpcrdma.protocol.session.Session}).
 *
 * <p>Callers that show no session get the weaker promise of
 * {@link dev.rpcrdma.protocol.session.ForeignCache}.
 */
package dev.rpcrdma.protocol.session;
