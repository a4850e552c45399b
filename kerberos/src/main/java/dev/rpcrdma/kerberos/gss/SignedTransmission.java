// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One transmission of a call, with a number of its own (RFC 2203 §5.3.1). */
final class SignedTransmission implements CallProtection {

  private final GssClient client;
  private final ClientContext context;
  private final int sequence;
  private final OpaqueAuth credential;
  /** Whether nothing is signed, as the connection protects it all. */
  private final boolean bound;
  private final Optional<BodyProtection> bodies;

  SignedTransmission(GssClient client, ClientContext context, int sequence, int version, GssProcedure procedure,
      GssService service, Optional<BodyProtection> bodies) {
    this.client = client;
    this.context = context;
    this.sequence = sequence;
    this.credential = new GssCredential(version, procedure, sequence, service, context.handle()).encode();
    this.bound = service == GssService.CHANNEL;
    this.bodies = bodies;
  }

  @Override
  public int lengthInCall() {
    return credential.encodedLength() + verifierLength();
  }

  @Override
  public void writeInCall(ByteBuffer target, int start) {
    credential.write(target);
    if (bound) {
      OpaqueAuth.NONE.write(target);
      return;
    }
    ByteBuffer head = target.duplicate().flip().position(start);
    new OpaqueAuth(AuthFlavor.GSS, context.context().sign(head)).write(target);
  }

  @Override
  public boolean verifies(OpaqueAuth verifier) {
    return bound ? verifier.equals(OpaqueAuth.NONE) : ClientContext.hasSigned(context.context(), sequence, verifier);
  }

  @Override
  public Optional<BodyProtection> bodies() {
    return bodies;
  }

  @Override
  public int verifierLength() {
    return bound ? OpaqueAuth.NONE.encodedLength() : ServerContext.verifierLength(context.context());
  }

  @Override
  public boolean outdated(AuthStatus status) {
    boolean outdated = saysOutdated(status);
    if (outdated) {
      client.discard(context);
    }
    return outdated;
  }

  /** Whether the server does not know the context, or does not take it any more (RFC 2203 §5.3.3.3). */
  static boolean saysOutdated(AuthStatus status) {
    return status == AuthStatus.RPCSEC_GSS_CREDPROBLEM || status == AuthStatus.RPCSEC_GSS_CTXPROBLEM;
  }

  @Override
  public void ended() {
    client.ended(context, sequence);
  }
}
