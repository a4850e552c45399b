// SPDX-License-Identifier: Apache-2.0
/** Many clients that connect at once, beside as many sockets of Vert.x. */
package dev.rpcrdma.bench.connect;
