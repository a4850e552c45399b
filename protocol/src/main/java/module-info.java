/**
 * ONC RPC and RPC-over-RDMA version 1 as pure code: bytes, time and events come in, effects go out.
 *
 * <p>Depends on the JDK alone. There is no socket, clock or thread in here.
 */
module dev.rpcrdma.protocol {
  exports dev.rpcrdma.protocol.xdr;
  exports dev.rpcrdma.protocol.binding;
  exports dev.rpcrdma.protocol.oncrpc;
  exports dev.rpcrdma.protocol.wire;
  exports dev.rpcrdma.protocol.fault;
  exports dev.rpcrdma.protocol.connection;
  exports dev.rpcrdma.protocol.channel;
  exports dev.rpcrdma.protocol.time;
}
