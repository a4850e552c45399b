/** Servers that are nodes of a cluster: what it costs to keep replies together, and how long the loss of one is felt. */
package dev.rpcrdma.bench.nodes;
