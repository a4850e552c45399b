// SPDX-License-Identifier: Apache-2.0
/**
 * The NFS program (RFC 1813 §3) as an {@link dev.rpcrdma.api.RpcService}, and its binding to
 * RPC-over-RDMA (RFC 8267 §4).
 *
 * <p>Each procedure reads its arguments where the call arrives, on the connection's event loop,
 * works on a worker thread, since files block, and yields an encoder of its results. Arguments that
 * cannot be read fail there and then, and are answered GARBAGE_ARGS.
 */
package dev.rpcrdma.examples.nfs3.program;
