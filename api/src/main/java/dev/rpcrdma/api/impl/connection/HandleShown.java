// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The handle of a token as the credential of one transmission. */
public abstract class HandleShown implements CallProtection {

  private final OpaqueAuth credential;

  /** Shows a handle. */
  protected HandleShown(OpaqueAuth credential) {
    this.credential = credential;
  }

  /** The server does not know the handle, or not any more: the token is worth another exchange. */
  protected abstract void unknown();

  @Override
  public final int lengthInCall() {
    return credential.lengthInCall();
  }

  @Override
  public final void writeInCall(ByteBuffer target, int start) {
    credential.writeInCall(target, start);
  }

  @Override
  public final Optional<BodyProtection> bodies() {
    return Optional.empty();
  }

  @Override
  public final int verifierLength() {
    return OpaqueAuth.NONE.encodedLength();
  }

  @Override
  public final boolean outdated(AuthStatus status) {
    boolean unknown = status == AuthStatus.REJECTEDCRED;
    if (unknown) {
      unknown();
    }
    return unknown;
  }
}
