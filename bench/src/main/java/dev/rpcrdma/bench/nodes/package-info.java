// SPDX-License-Identifier: Apache-2.0
/** Servers that are nodes of a cluster: what replies cost that are kept together, and how long a lost node is felt. */
package dev.rpcrdma.bench.nodes;
