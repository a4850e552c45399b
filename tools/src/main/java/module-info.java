// SPDX-License-Identifier: Apache-2.0
/**
 * The command line behind {@code rpcrdma}: calls, pings, captures that are decoded, and what a machine has of RDMA.
 */
module dev.rpcrdma.tools {
  requires transitive dev.rpcrdma.api;
  requires dev.rpcrdma.cluster;
  requires dev.rpcrdma.kerberos;
  requires transitive info.picocli;
  requires com.hazelcast.core;
  requires io.vertx.clustermanager.hazelcast;
  requires java.logging;

  uses dev.rpcrdma.tools.command.CommandProvider;

  exports dev.rpcrdma.tools.command;

  opens dev.rpcrdma.tools.cli to info.picocli;
  opens dev.rpcrdma.tools.command to info.picocli;
}
