// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Judges calls that bind contexts to the channels that they come over (RFC 5403 §3.3). From any thread. */
final class Binder {

  private static final Verdict BAD_VERIFIER = new Verdict.Refused(AuthStatus.BADVERF);
  private static final Verdict NOT_SIGNED = new Verdict.Refused(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
  private static final Verdict OVER = new Verdict.Refused(AuthStatus.RPCSEC_GSS_CTXPROBLEM);

  private Binder() {}

  /**
   * Judges one by a context that stands.
   *
   * @param head of the call, up to and with its credential
   * @param verifier of the call
   */
  static Verdict judge(ServerContext context, SecureChannel channel, GssCredential credential, ByteBuffer head,
      OpaqueAuth verifier, long now) {
    BindArguments arguments;
    try {
      arguments = BindArguments.from(verifier);
    } catch (XdrException e) {
      return BAD_VERIFIER;
    }
    Optional<byte[]> bindings = channel.bindings();
    Optional<byte[]> prefix = bindings.map(BindArguments::prefixOf);
    if (prefix.isEmpty() || !Arrays.equals(prefix.get(), arguments.prefix())) {
      return refused(BindAnswer.Status.PREFIX_NOT_SUPPORTED, prefix.map(List::of).orElse(List.of()));
    }
    Optional<ChannelHash> hash = ChannelHash.of(arguments.hash());
    if (hash.isEmpty()) {
      return refused(BindAnswer.Status.HASH_NOT_SUPPORTED, ChannelHash.oids());
    }
    byte[] hashed = hash.get().hash(bindings.get());
    if (!context.context().verifies(BindArguments.signed(head, hashed), arguments.proof())) {
      // Somebody may be trying proofs until one is good, or stands between two channels (RFC 5403 §9).
      context.halve(now);
      return NOT_SIGNED;
    }
    if (credential.isExhausted()) {
      return OVER;
    }
    if (!context.take(credential.sequence())) {
      return Verdict.DROPPED;
    }
    return new Binding(BindAnswer.bound(context.context(), credential.sequence(), hashed).verifier(),
        () -> context.bind(channel));
  }

  private static Verdict refused(BindAnswer.Status status, List<byte[]> known) {
    return new Binding(BindAnswer.refused(status, known).verifier(), () -> { });
  }
}
