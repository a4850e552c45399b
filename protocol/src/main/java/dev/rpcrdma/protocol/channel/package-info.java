/**
 * What outlives a connection: the calls of one end, which are sent again over the next connection, and
 * the memory of the other end, which answers a call that comes again and does not execute it again.
 *
 * <p><b>The promise.</b> A call of a {@link dev.rpcrdma.protocol.channel.ChannelMachine} has one outcome.
 * It is executed at most once if the peer keeps a {@link dev.rpcrdma.protocol.channel.ReplyCache} for
 * this caller, shows it by a session, and shows the same session again after each loss; if it shows
 * another one, or none, calls that the peer may have executed fail, and say so. Procedures that are
 * idempotent are sent again in any case.
 *
 * <p><b>Why a bounded cache is enough.</b> On one connection replies arrive in the order in which they
 * were sent. A caller with G credits therefore has the reply of a call when the responder has answered G
 * more, and only the last G replies can be lost with a connection. Calls are sent again in the order in
 * which they were first made, before all others, so that no more than G - 1 are answered between. Twice
 * G replies are kept.
 */
package dev.rpcrdma.protocol.channel;
