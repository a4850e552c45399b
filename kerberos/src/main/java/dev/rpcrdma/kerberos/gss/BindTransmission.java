// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The head of a call that binds a context to a channel, and what its reply says (RFC 5403 §3.3). */
final class BindTransmission implements Credential {

  private static final ChannelHash HASH = ChannelHash.SHA_256;

  private final GssContext context;
  private final int sequence;
  private final OpaqueAuth credential;
  private final byte[] prefix;
  private final byte[] hash;

  BindTransmission(ClientContext context, int sequence, byte[] bindings) {
    this.context = context.context();
    this.sequence = sequence;
    this.credential = new GssCredential(GssCredential.VERSION_2, GssProcedure.BIND_CHANNEL, sequence, GssService.NONE,
        context.handle()).encode();
    this.prefix = BindArguments.prefixOf(bindings);
    this.hash = HASH.hash(bindings);
  }

  @Override
  public int lengthInCall() {
    int opaques = 3 * Integer.BYTES + Xdr.pad(prefix.length) + Xdr.pad(HASH.oid().length)
        + Xdr.pad(context.proofLength());
    return credential.encodedLength() + 2 * Integer.BYTES + opaques;
  }

  @Override
  public void writeInCall(ByteBuffer target, int start) {
    credential.write(target);
    ByteBuffer head = target.duplicate().flip().position(start);
    new BindArguments(prefix, HASH.oid(), context.sign(BindArguments.signed(head, hash))).verifier().write(target);
  }

  /** Why the verifier of the reply does not say that the server has bound the context too; empty if it does. */
  Optional<String> refusal(OpaqueAuth verifier) {
    BindAnswer answer;
    try {
      answer = BindAnswer.from(verifier);
    } catch (XdrException e) {
      return Optional.of("the server's answer cannot be decoded: " + e.getMessage());
    }
    return switch (answer.status()) {
      case OK -> answer.isBound(context, sequence, hash) ? Optional.empty()
          : Optional.of("the server's answer does not prove that it has the same connection");
      case PREFIX_NOT_SUPPORTED -> Optional.of("the server cannot be bound by "
          + new String(prefix, StandardCharsets.US_ASCII) + (answer.known().isEmpty()
              ? ", nor by anything else: there is no TLS at its end of the connection" : ""));
      case HASH_NOT_SUPPORTED -> Optional.of("the server does not know " + HASH);
    };
  }
}
