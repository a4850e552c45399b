/** Other RPC systems that carry the same calls, each as its own users would set it up. */
package dev.rpcrdma.bench.peers;
