// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of an RDMA device, as a fabric jar implements it.
 *
 * <p>This module knows verbs and nothing above them: no RPC, no wire format.
 */
@SuppressWarnings("module") // The modules that it opens a package to come later in the build.
module dev.rpcrdma.verbs {
  requires transitive io.netty.buffer;
  requires io.netty.common;
  requires transitive io.netty.handler;
  requires io.netty.resolver;
  requires transitive io.netty.transport;
  requires transitive io.vertx.core;

  exports dev.rpcrdma.verbs;
  exports dev.rpcrdma.verbs.base;
  exports dev.rpcrdma.verbs.capture;
  exports dev.rpcrdma.verbs.capture.read;
  exports dev.rpcrdma.verbs.options;
  exports dev.rpcrdma.verbs.support;
  exports dev.rpcrdma.verbs.tls;
  exports dev.rpcrdma.verbs.vertx to
      dev.rpcrdma.api,
      dev.rpcrdma.cluster,
      dev.rpcrdma.ibverbs,
      dev.rpcrdma.kerberos,
      dev.rpcrdma.service,
      dev.rpcrdma.siw,
      dev.rpcrdma.testkit;

  uses dev.rpcrdma.verbs.VerbsProvider;
  uses dev.rpcrdma.verbs.capture.CaptureDecoder;
}
