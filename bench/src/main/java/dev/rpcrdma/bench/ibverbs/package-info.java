// SPDX-License-Identifier: Apache-2.0
/** What Java takes for itself when it posts to a device and polls it. */
package dev.rpcrdma.bench.ibverbs;
