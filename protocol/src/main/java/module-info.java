// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC and RPC-over-RDMA version 1 as pure code: bytes, time and events come in, effects go out.
 *
 * <p>Depends on the JDK alone. There is no socket, clock or thread in here. The packages of the machine are for
 * the shell that embeds it, and for nobody else.
 */
@SuppressWarnings("module")
module dev.rpcrdma.protocol {
  exports dev.rpcrdma.protocol.xdr;
  exports dev.rpcrdma.protocol.binding;
  exports dev.rpcrdma.protocol.oncrpc;
  exports dev.rpcrdma.protocol.record;
  exports dev.rpcrdma.protocol.rpcbind;
  exports dev.rpcrdma.protocol.security;
  exports dev.rpcrdma.protocol.wire;
  exports dev.rpcrdma.protocol.fault;
  exports dev.rpcrdma.protocol.connection to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.control to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.fabric to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.message to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.replicated to dev.rpcrdma.api, dev.rpcrdma.cluster;
  exports dev.rpcrdma.protocol.requester to dev.rpcrdma.api, dev.rpcrdma.kerberos;
  exports dev.rpcrdma.protocol.responder to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.session to dev.rpcrdma.api;
  exports dev.rpcrdma.protocol.time to dev.rpcrdma.api;
}
