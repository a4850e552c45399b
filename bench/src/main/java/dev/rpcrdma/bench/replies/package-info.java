// SPDX-License-Identifier: Apache-2.0
/** Results whose size the caller does not know, pulled and by Reply chunks, beside those with a bound. */
package dev.rpcrdma.bench.replies;
