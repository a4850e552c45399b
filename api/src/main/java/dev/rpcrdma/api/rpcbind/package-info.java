// SPDX-License-Identifier: Apache-2.0
/**
 * Finding servers, and being found, by rpcbind (RFC 1833): {@link dev.rpcrdma.api.rpcbind.Rpcbind} asks the rpcbind of
 * a host and registers with it, over TCP; {@link dev.rpcrdma.api.rpcbind.RpcbindServer} is a small one for machines
 * without. The netids of RDMA are rdma and rdma6 (RFC 8166 §9).
 */
package dev.rpcrdma.api.rpcbind;
