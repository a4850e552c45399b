// SPDX-License-Identifier: Apache-2.0
/**
 * Servers that make themselves known in a cluster of Vert.x, and the resolver that finds them there. All of it goes
 * through {@link io.vertx.core.shareddata.SharedData}, so that any cluster manager will do; without one, servers are
 * known within their Vert.x instance.
 */
package dev.rpcrdma.cluster;
