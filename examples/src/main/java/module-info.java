// SPDX-License-Identifier: Apache-2.0
/**
 * Examples: blobs, the trading desk, leases, a service that moves from the event bus, nodes of a cluster, and an NFS
 * server; some with a command of {@code ./rpcrdma}.
 */
module dev.rpcrdma.examples {
  requires transitive dev.rpcrdma.service;
  requires dev.rpcrdma.cluster;
  requires dev.rpcrdma.tools;
  requires com.hazelcast.core;
  requires io.vertx.clustermanager.hazelcast;

  exports dev.rpcrdma.examples.blobs;
  exports dev.rpcrdma.examples.desk;
  exports dev.rpcrdma.examples.leases;
  exports dev.rpcrdma.examples.moved;
  exports dev.rpcrdma.examples.nodes;

  provides dev.rpcrdma.tools.command.CommandProvider with dev.rpcrdma.examples.ExampleCommands;

  opens dev.rpcrdma.examples.blobs.command to info.picocli;
  opens dev.rpcrdma.examples.desk.command to info.picocli;
  opens dev.rpcrdma.examples.nfs3.command to info.picocli;
}
