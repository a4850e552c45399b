// SPDX-License-Identifier: Apache-2.0
/** Sends, Writes and Reads over siw, beside a Vert.x NetSocket and a raw SocketChannel. */
package dev.rpcrdma.bench.verbs;
