// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

/**
 * Where calls may go to.
 *
 * @param key by which load balancers know it, the same in each process: the instance that listens there; of several,
 *     the first in their order
 * @param host of the address
 * @param port of the address
 */
record ListedServer(String key, String host, int port) {}
