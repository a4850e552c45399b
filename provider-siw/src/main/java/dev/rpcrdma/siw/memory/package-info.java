// SPDX-License-Identifier: Apache-2.0
/**
 * The exposures through which one peer reaches parts of registered memory
 * ({@link dev.rpcrdma.verbs.support.HostMemory}).
 *
 * <p>An exposure is an entry in the {@link dev.rpcrdma.siw.memory.ExposureTable} of one connection,
 * which is why a steering tag is of no use on another one. Every access of the peer is checked
 * there, before a byte is touched: tag, rights, bounds, 64-bit wrap (RFC 5041 §7.1, RFC 5040
 * §8.1.1).
 */
package dev.rpcrdma.siw.memory;
