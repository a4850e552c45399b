// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/** A context that stands, on the server: shared by all connections of whoever has made it. From any thread. */
final class ServerContext {

  /** Half of what has no end is half of this. */
  private static final long LONGEST = TimeUnit.DAYS.toNanos(1);

  private final GssContext context;
  private final String principal;
  private final int version;
  private final SequenceWindow window;
  /** Over which it was proven to be used at both ends; guarded by this. Those that have ended go by themselves. */
  private final Set<SecureChannel> channels = Collections.newSetFromMap(new WeakHashMap<>());
  /** Guarded by this. */
  private long end;

  /**
   * Creates it.
   *
   * @param version of the protocol that it was made by, and is used by
   * @param end when it is good no more, on the embedder's clock; {@link Long#MAX_VALUE} for never
   */
  ServerContext(GssContext context, String principal, int version, long end, int window) {
    this.context = context;
    this.principal = principal;
    this.version = version;
    this.end = end;
    this.window = new SequenceWindow(window);
  }

  GssContext context() {
    return context;
  }

  String principal() {
    return principal;
  }

  int version() {
    return version;
  }

  synchronized boolean isOver(long now) {
    return end != Long.MAX_VALUE && end - now <= 0;
  }

  /** Has only half the time left. */
  synchronized void halve(long now) {
    end = now + Math.min(end - now, LONGEST) / 2;
  }

  /** From now on the channel proves what comes over it. */
  synchronized void bind(SecureChannel channel) {
    channels.add(channel);
  }

  synchronized boolean isBound(SecureChannel channel) {
    return channels.contains(channel);
  }

  /** Whether this user has made a call with that head. */
  boolean hasSigned(ByteBuffer head, OpaqueAuth verifier) {
    return verifier.flavor() == AuthFlavor.GSS && context.verifies(head, verifier.body());
  }

  /** Takes the number of a call whose head is verified; false if it was there, or comes too late. */
  synchronized boolean take(int sequence) {
    return window.take(sequence);
  }

  /** The proof that this end has made a reply (RFC 2203 §5.3.3.2), or has made the context (§5.2.3.1). */
  OpaqueAuth verifier(int number) {
    return new OpaqueAuth(AuthFlavor.GSS,
        context.sign(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip()));
  }

  /** How long that proof is. */
  int verifierLength() {
    return verifierLength(context);
  }

  static int verifierLength(GssContext context) {
    return 2 * Integer.BYTES + Xdr.pad(context.proofLength());
  }
}
