// SPDX-License-Identifier: Apache-2.0
/** Calls of the client while the server calls back, over the same connection. */
package dev.rpcrdma.bench.directions;
