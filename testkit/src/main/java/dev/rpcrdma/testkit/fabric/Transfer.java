// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.support.HostMemory;

/**
 * From where to where the bytes of a work request go; checked.
 *
 * @param from their source
 * @param fromIndex the first byte there
 * @param to their sink
 * @param toIndex the first byte there
 */
record Transfer(HostMemory from, int fromIndex, HostMemory to, int toIndex) {}
