// SPDX-License-Identifier: Apache-2.0
/**
 * The RPC-over-RDMA version 1 transport header (RFC 8166 §4): raw words in
 * {@link dev.rpcrdma.protocol.wire.RawHeader}, checked values in
 * {@link dev.rpcrdma.protocol.wire.ChunkLists}.
 */
package dev.rpcrdma.protocol.wire;
