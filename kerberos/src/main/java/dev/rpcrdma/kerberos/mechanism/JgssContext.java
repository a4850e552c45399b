// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.kerberos.gss.GssContext;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import dev.rpcrdma.verbs.base.Causes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.MessageProp;

/** A context that stands. The JDK's takes calls from any thread once it is established. */
final class JgssContext implements GssContext {

  /** Some encryption types pad to a multiple of this. */
  private static final int LARGEST_BLOCK = 16;

  private final GSSContext context;
  private final int proofLength;
  private final int wrapOverhead;

  private JgssContext(GSSContext context) throws GSSException {
    this.context = context;
    this.proofLength = context.getMIC(new byte[1], 0, 1, signed()).length;
    this.wrapOverhead = context.getConfState() ? wrapOverhead(context) : 0;
  }

  private static int wrapOverhead(GSSContext context) throws GSSException {
    int most = 0;
    for (int length = 1; length <= LARGEST_BLOCK; length++) {
      most = Math.max(most, context.wrap(new byte[length], 0, length, encrypted()).length - length);
    }
    return most;
  }

  /**
   * What is to be told of a context that is established.
   *
   * @param longest for how long it may be used; the JDK mostly says that it is without end
   */
  static GssHandshake.Established established(GSSContext context, GSSName peer, Duration longest) throws GSSException {
    Duration lifetime = Duration.ofSeconds(context.getLifetime());
    return new GssHandshake.Established(new JgssContext(context), peer.toString(),
        Optional.of(lifetime.compareTo(longest) < 0 ? lifetime : longest));
  }

  /** One that is made no further. */
  static void dispose(GSSContext context) {
    if (context == null) {
      return;
    }
    try {
      context.dispose();
    } catch (GSSException e) {
      // Nothing is left to do for it.
    }
  }

  private static MessageProp signed() {
    return new MessageProp(0, false);
  }

  private static MessageProp encrypted() {
    return new MessageProp(0, true);
  }

  /** The same with an array, as the JDK wants it: large ones are not copied for that. */
  private static ByteBuffer inArray(ByteBuffer buffer) {
    return buffer.hasArray() ? buffer
        : ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
  }

  private static int start(ByteBuffer buffer) {
    return buffer.arrayOffset() + buffer.position();
  }

  @Override
  public byte[] sign(ByteBuffer message) {
    ByteBuffer bytes = inArray(message);
    try {
      return context.getMIC(bytes.array(), start(bytes), bytes.remaining(), signed());
    } catch (GSSException e) {
      throw new IllegalStateException("Nothing can be signed: " + Causes.message(e), e);
    }
  }

  @Override
  public boolean verifies(ByteBuffer message, byte[] proof) {
    // The JDK passes over what is behind a token, which ends with its checksum (RFC 4121 §4.2.6.1).
    if (proof.length != proofLength) {
      return false;
    }
    ByteBuffer bytes = inArray(message);
    try {
      context.verifyMIC(proof, 0, proof.length, bytes.array(), start(bytes), bytes.remaining(), signed());
      return true;
    } catch (GSSException | RuntimeException e) {
      // Whatever the mechanism makes of what a peer has sent, it is no proof.
      return false;
    }
  }

  @Override
  public byte[] wrap(ByteBuffer message) {
    ByteBuffer bytes = inArray(message);
    MessageProp how = encrypted();
    try {
      byte[] wrapped = context.wrap(bytes.array(), start(bytes), bytes.remaining(), how);
      if (!how.getPrivacy()) {
        throw new IllegalStateException("The context does not encrypt");
      }
      return wrapped;
    } catch (GSSException e) {
      throw new IllegalStateException("Nothing can be encrypted: " + Causes.message(e), e);
    }
  }

  @Override
  public Optional<byte[]> unwrap(ByteBuffer wrapped) {
    ByteBuffer bytes = inArray(wrapped);
    MessageProp how = encrypted();
    try {
      byte[] message = context.unwrap(bytes.array(), start(bytes), bytes.remaining(), how);
      return how.getPrivacy() ? Optional.of(message) : Optional.empty();
    } catch (GSSException | RuntimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public int proofLength() {
    return proofLength;
  }

  @Override
  public int wrapOverhead() {
    return wrapOverhead;
  }
}
