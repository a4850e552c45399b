// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC over RDMA for Vert.x: clients, servers, channels and connections.
 */
@SuppressWarnings("module")
module dev.rpcrdma.api {
  requires transitive dev.rpcrdma.protocol;
  requires transitive dev.rpcrdma.verbs;
  requires transitive io.vertx.core;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.vertx.core.logging;
  // Options, entries of clusters and debug info are JSON. The module of Vert.x requires its writer for compiling only.
  requires com.fasterxml.jackson.core;
  // In an image by jlink nothing else brings it, and without it Netty of JDK 25 does not see -XX:MaxDirectMemorySize.
  requires java.management;
  requires static HdrHistogram;
  requires static micrometer.core;
  requires static io.vertx.healthcheck;
  requires static org.junit.jupiter.api;

  exports dev.rpcrdma.api;
  exports dev.rpcrdma.api.health;
  exports dev.rpcrdma.api.junit5;
  exports dev.rpcrdma.api.micrometer;
  exports dev.rpcrdma.api.resolver;
  exports dev.rpcrdma.api.rpcbind;
  exports dev.rpcrdma.api.spi;
  exports dev.rpcrdma.api.options to dev.rpcrdma.service;
  exports dev.rpcrdma.api.impl.call to dev.rpcrdma.cluster, dev.rpcrdma.kerberos, dev.rpcrdma.service;
  exports dev.rpcrdma.api.impl.loop to dev.rpcrdma.cluster;
  exports dev.rpcrdma.api.impl.mechanism to dev.rpcrdma.kerberos;
  exports dev.rpcrdma.api.impl.verticle to dev.rpcrdma.cluster, dev.rpcrdma.service;

  uses dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
  uses dev.rpcrdma.api.spi.ServerDiscovery;

  provides io.vertx.core.spi.VertxServiceProvider with dev.rpcrdma.api.impl.call.CurrentCall;
}
