// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.BodyProtection;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A call of a program with a context that stands; its replies are protected with the call's own number, or by the
 * channel alone.
 */
record SignedCall(ServerContext context, int sequence, GssService service, Executor work) implements GssUser {

  @Override
  public String name() {
    return context.principal();
  }

  /** The user, whatever context it has this time. */
  @Override
  public Object principal(CallHeader call) {
    return context.principal();
  }

  @Override
  public int verifierLength() {
    return service == GssService.CHANNEL ? OpaqueAuth.NONE.encodedLength() : context.verifierLength();
  }

  @Override
  public OpaqueAuth verifier() {
    return service == GssService.CHANNEL ? OpaqueAuth.NONE : context.verifier(sequence);
  }

  @Override
  public Optional<BodyProtection> bodies() {
    return GssBodies.of(service, context.context(), sequence, work);
  }
}
