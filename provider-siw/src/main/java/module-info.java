// SPDX-License-Identifier: Apache-2.0
/**
 * Software iWARP in pure Java: MPA, DDP and RDMAP over TCP. Needs no RDMA hardware, no kernel
 * module and no native library, and talks to Linux siw and to RFC-strict peers.
 */
module dev.rpcrdma.siw {
  requires transitive dev.rpcrdma.verbs;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.vertx.core;

  exports dev.rpcrdma.siw;

  provides dev.rpcrdma.verbs.VerbsProvider with dev.rpcrdma.siw.SiwProvider;
  provides dev.rpcrdma.verbs.capture.CaptureDecoder
      with dev.rpcrdma.siw.decode.SiwCaptureDecoder;
}
