// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import dev.rpcrdma.kerberos.gss.GssVerifier;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * Opens what one end of a context has signed and wrapped (RFC 4121 §4.2). The sequence numbers of tokens are not
 * looked at: RPCSEC_GSS has its own (RFC 2203 §5.3.3.1).
 */
public final class SentTokens implements GssVerifier {

  private static final int ACCEPTOR_SEAL = 22;
  private static final int ACCEPTOR_SIGN = 23;
  private static final int INITIATOR_SEAL = 24;
  private static final int INITIATOR_SIGN = 25;

  private final ContextKeys keys;
  private final boolean acceptors;

  SentTokens(ContextKeys keys, boolean acceptors) {
    this.keys = keys;
    this.acceptors = acceptors;
  }

  @Override
  public boolean verifies(ByteBuffer message, byte[] proof) {
    TokenHead head = TokenHead.of(proof);
    KerberosKey key = key(head);
    return key != null && head.isMic()
        && key.verifies(acceptors ? ACCEPTOR_SIGN : INITIATOR_SIGN, body(proof), bytes(message), head.bytes());
  }

  @Override
  public Optional<byte[]> unwrap(ByteBuffer wrapped) {
    byte[] token = bytes(wrapped);
    TokenHead head = TokenHead.of(token);
    return head != null && head.isSealed() ? opened(head, token) : Optional.empty();
  }

  /**
   * Opens what was wrapped, with confidentiality or without.
   *
   * @param token of GSS_Wrap
   * @return empty if this end has not wrapped just these bytes
   */
  public Optional<byte[]> unwrapAny(byte[] token) {
    TokenHead head = TokenHead.of(token);
    return head == null ? Optional.empty() : opened(head, token);
  }

  private Optional<byte[]> opened(TokenHead head, byte[] token) {
    KerberosKey key = key(head);
    if (key == null || !head.isWrap()) {
      return Optional.empty();
    }
    byte[] body = rotatedBack(body(token), head.rotation());
    return head.isSealed() ? sealed(key, head, body) : signed(key, head, body);
  }

  /** {@code encrypted(message | filler of EC bytes | head with RRC 0)} (RFC 4121 §4.2.4). */
  private Optional<byte[]> sealed(KerberosKey key, TokenHead head, byte[] body) {
    byte[] plain;
    try {
      plain = key.decrypt(acceptors ? ACCEPTOR_SEAL : INITIATOR_SEAL, body);
    } catch (KerberosException e) {
      return Optional.empty();
    }
    int end = plain.length - TokenHead.LENGTH;
    if (end < head.extraCount()
        || !MessageDigest.isEqual(Arrays.copyOfRange(plain, end, plain.length), head.signed())) {
      return Optional.empty();
    }
    return Optional.of(Arrays.copyOf(plain, end - head.extraCount()));
  }

  /** {@code message | proof of (message | head with EC 0 and RRC 0)} (RFC 4121 §4.2.4); EC is the proof's length. */
  private Optional<byte[]> signed(KerberosKey key, TokenHead head, byte[] body) {
    int end = body.length - head.extraCount();
    if (end < 0) {
      return Optional.empty();
    }
    byte[] message = Arrays.copyOf(body, end);
    byte[] proof = Arrays.copyOfRange(body, end, body.length);
    return key.verifies(acceptors ? ACCEPTOR_SEAL : INITIATOR_SEAL, proof, message, head.signed())
        ? Optional.of(message) : Optional.empty();
  }

  /** The key of a token that this end may have sent; null if it cannot have. */
  private KerberosKey key(TokenHead head) {
    return head == null || head.sentByAcceptor() != acceptors ? null : keys.of(head);
  }

  private static byte[] rotatedBack(byte[] body, int rotation) {
    if (body.length == 0) {
      return body;
    }
    int by = rotation % body.length;
    byte[] back = new byte[body.length];
    System.arraycopy(body, by, back, 0, body.length - by);
    System.arraycopy(body, 0, back, body.length - by, by);
    return back;
  }

  private static byte[] body(byte[] token) {
    return Arrays.copyOfRange(token, TokenHead.LENGTH, token.length);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }
}
