// SPDX-License-Identifier: Apache-2.0
/** Applications that are written to be compiled. */
package dev.rpcrdma.bench.compile;
