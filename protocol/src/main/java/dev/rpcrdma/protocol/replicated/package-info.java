// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that several servers execute at most once together: what a server does with a call that may have come to
 * another server before, by a map that all of them share and that compares before it sets.
 *
 * <p><b>The promise.</b> A call is executed at most once by all servers together, as long as the map keeps its entry. A
 * repetition is answered with the first reply if that was stored, and is never executed if another server has claimed
 * the call, whatever became of that server.
 *
 * <p><b>How.</b> A client gives each call an {@link dev.rpcrdma.protocol.replicated.CallIdentity}: a slot and a number
 * that rises within the slot. The map has one {@link dev.rpcrdma.protocol.replicated.ReplyEntry} for each slot. A
 * server claims a call there before it executes it, and stores the reply there before it answers ({@link
 * dev.rpcrdma.protocol.replicated.ClaimStep}). An entry is replaced and never removed while its client may still call:
 * its number is what tells a late message from a new call, also when the call itself was refused.
 */
package dev.rpcrdma.protocol.replicated;
