// SPDX-License-Identifier: Apache-2.0
/**
 * Other systems that carry the same calls, each as its own users would set it up: oncrpc4j, grpc-java,
 * Vert.x gRPC, and the event bus of two clustered Vert.x instances.
 */
package dev.rpcrdma.bench.peers;
