// SPDX-License-Identifier: Apache-2.0
/**
 * External Data Representation (RFC 4506), aware of data items that travel outside the stream.
 *
 * <p>RPC-over-RDMA moves large opaque items by direct data placement (RFC 8166 §3.4): the item's
 * length word stays in the Payload stream, its bytes and padding leave it. So a
 * {@link dev.rpcrdma.protocol.xdr.XdrWriter} notes where each such
 * {@link dev.rpcrdma.protocol.xdr.DataItem} belongs instead of copying it, and the
 * {@link dev.rpcrdma.protocol.xdr.PayloadStream} it yields can be laid out with any of its items
 * reduced or inline. An {@link dev.rpcrdma.protocol.xdr.XdrReader} finds them again, wherever they
 * came from, so a codec is written once for both.
 */
package dev.rpcrdma.protocol.xdr;
