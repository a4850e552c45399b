// SPDX-License-Identifier: Apache-2.0
/** Three nodes of a cluster, one of which dies: {@link dev.rpcrdma.examples.nodes.ThreeNodes}. */
package dev.rpcrdma.examples.nodes;
