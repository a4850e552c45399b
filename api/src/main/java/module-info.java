/**
 * ONC RPC over RDMA for Vert.x: clients, servers, channels and connections.
 */
module dev.rpcrdma.api {
  requires transitive dev.rpcrdma.protocol;
  requires transitive dev.rpcrdma.verbs;
  requires transitive io.vertx.core;

  exports dev.rpcrdma.api;
  exports dev.rpcrdma.api.spi;

  provides io.vertx.core.spi.VertxServiceProvider with dev.rpcrdma.api.impl.CurrentCall;
}
