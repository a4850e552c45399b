// SPDX-License-Identifier: Apache-2.0
/** Record marking: how messages of ONC RPC stand in a stream of bytes (RFC 5531 §11). Never used over RDMA. */
package dev.rpcrdma.protocol.record;
