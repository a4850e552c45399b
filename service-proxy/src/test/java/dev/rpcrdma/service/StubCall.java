// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** A call without a connection. */
record StubCall(UpperLayerBinding binding, int procedure, XdrReader arguments) implements RpcCall {

  @Override
  public RpcConnection connection() {
    throw new UnsupportedOperationException("no connection");
  }

  @Override
  public OpaqueAuth credentials() {
    throw new UnsupportedOperationException("no credentials");
  }

  @Override
  public int xid() {
    return 0;
  }

  @Override
  public int program() {
    return binding.program();
  }

  @Override
  public int version() {
    return binding.version();
  }

  @Override
  public long millisLeft() {
    return Long.MAX_VALUE;
  }
}
