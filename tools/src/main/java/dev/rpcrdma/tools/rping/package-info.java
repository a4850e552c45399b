// SPDX-License-Identifier: Apache-2.0
/**
 * The ping of RDMA, directly on the verbs SPI, and on the wire the same as {@code rping} of
 * rdma-core, so that either end can be the other program.
 *
 * <p>One ping, in which the client never touches the data itself:
 *
 * <pre>
 *   client                                      server
 *   Send  address, tag, size of the source  ──▶
 *                                           ◀── RDMA Read of the source
 *                                           ◀── Send   go ahead
 *   Send  address, tag, size of the sink    ──▶
 *                                           ◀── RDMA Write of the same data to the sink
 *                                           ◀── Send   done
 * </pre>
 *
 * <p>All Sends have 16 bytes ({@link dev.rpcrdma.tools.rping.RpingInfo}); the contents of the
 * server's are not looked at. The client disconnects when it has had enough.
 */
package dev.rpcrdma.tools.rping;
