// SPDX-License-Identifier: Apache-2.0
/**
 * iWARP as state machines without sockets, clocks or threads: bytes and commands in, bytes and
 * events out.
 *
 * <p>Startup is one of {@link dev.rpcrdma.siw.stream.MpaInitiator} and
 * {@link dev.rpcrdma.siw.stream.MpaResponder}; both end in an
 * {@link dev.rpcrdma.siw.stream.MpaAgreement}. From then on one
 * {@link dev.rpcrdma.siw.stream.RdmapEndpoint} joins the queues and exposures of a connection with
 * its two directions:
 *
 * <ul>
 *   <li>{@link dev.rpcrdma.siw.stream.InboundStream} checks each segment, places it and reports
 *       what it completes, or throws a {@link dev.rpcrdma.siw.stream.StreamFault} before a byte is
 *       placed;
 *   <li>{@link dev.rpcrdma.siw.stream.OutboundStream} is pulled: it makes the next segment only
 *       when asked, so that what waits is bounded by who asks.
 * </ul>
 *
 * <p>{@link dev.rpcrdma.siw.stream.ObservedStartup} and
 * {@link dev.rpcrdma.siw.stream.ObservedEnd} drive the receiving halves of these machines with the
 * bytes that two others have exchanged, to judge what was captured.
 *
 * <p>Messages are never interleaved on the way out, except that a Terminate may cut one short.
 */
package dev.rpcrdma.siw.stream;
