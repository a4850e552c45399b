// SPDX-License-Identifier: Apache-2.0
/** Mixed load in both directions over connections that are cut, for a long time. */
package dev.rpcrdma.bench.soak;
