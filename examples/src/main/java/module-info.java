// SPDX-License-Identifier: Apache-2.0
/**
 * The demo, the trading desk, the NFS server, and the command line behind {@code ./rpcrdma}.
 */
module dev.rpcrdma.examples {
  requires transitive dev.rpcrdma.service;
  requires com.hazelcast.core;
  requires info.picocli;
  requires io.vertx.clustermanager.hazelcast;
  requires java.logging;

  exports dev.rpcrdma.examples.blobs;
  exports dev.rpcrdma.examples.desk;
  exports dev.rpcrdma.examples.leases;
  exports dev.rpcrdma.examples.moved;
  exports dev.rpcrdma.examples.nodes;

  opens dev.rpcrdma.examples.cli to info.picocli;
}
