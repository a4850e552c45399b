// SPDX-License-Identifier: Apache-2.0
/**
 * Upper-layer bindings (RFC 8166 §6): what a program has to say about its use of RPC-over-RDMA.
 */
package dev.rpcrdma.protocol.binding;
