// SPDX-License-Identifier: Apache-2.0
/** Calls over siw, beside a Vert.x NetSocket and a raw SocketChannel that carry the same bytes. */
package dev.rpcrdma.bench.rpc;
