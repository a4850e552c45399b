// SPDX-License-Identifier: Apache-2.0
/** Services that are called more often than they can answer, of ours and of others. */
package dev.rpcrdma.bench.overload;
