// SPDX-License-Identifier: Apache-2.0
/** What benchmarks measure by: clocks, memory, processes of their own, and what they are compared with. */
package dev.rpcrdma.bench.measure;
