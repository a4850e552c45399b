// SPDX-License-Identifier: Apache-2.0
/**
 * Calls without a protocol: frames as long as ours with a CRC32C, a look-up and a call-back at each end, over one
 * {@code SocketChannel}. What they reach is the most that this machine allows.
 */
package dev.rpcrdma.bench.bare;
