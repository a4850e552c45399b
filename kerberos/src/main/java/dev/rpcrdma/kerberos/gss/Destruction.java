// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.ControlCall;

/** A call that ends its context (RFC 2203 §5.4). Calls that are being served keep it until they are answered. */
record Destruction(SignedCall call, Runnable end) implements ControlCall {

  @Override
  public void serve(Exchange exchange) {
    end.run();
    exchange.fail(AcceptStatus.SUCCESS);
  }

  @Override
  public Object principal(CallHeader header) {
    return call.principal(header);
  }

  @Override
  public int verifierLength() {
    return call.verifierLength();
  }

  @Override
  public OpaqueAuth verifier() {
    return call.verifier();
  }
}
