// SPDX-License-Identifier: Apache-2.0
/** Calls at given rates and over several connections, and what a call costs in CPU time. */
package dev.rpcrdma.bench.load;
