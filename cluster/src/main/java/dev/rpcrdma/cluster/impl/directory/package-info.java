// SPDX-License-Identifier: Apache-2.0
/**
 * Servers in a cluster: what they say of themselves, and what is made of it. {@code ClusterPicture} decides which
 * servers there are, and knows no clock, no thread and no Vert.x.
 */
package dev.rpcrdma.cluster.impl.directory;
