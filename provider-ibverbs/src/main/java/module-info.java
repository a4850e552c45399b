// SPDX-License-Identifier: Apache-2.0
/**
 * The provider for RDMA hardware and kernel drivers, through rdma-core.
 */
module dev.rpcrdma.ibverbs {
  requires transitive dev.rpcrdma.verbs;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires org.jnrproject.ffi;
  requires org.jnrproject.jffi;

  exports dev.rpcrdma.ibverbs;

  provides dev.rpcrdma.verbs.VerbsProvider with dev.rpcrdma.ibverbs.IbverbsProvider;
}
