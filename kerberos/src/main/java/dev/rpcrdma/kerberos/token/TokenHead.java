// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first 16 bytes of a token of a context that stands (RFC 4121 §4.2.6).
 *
 * <pre>
 *   MIC:  04 04 | flags | FF FF FF FF FF | sequence (8)
 *   Wrap: 05 04 | flags | FF | EC (2) | RRC (2) | sequence (8)
 * </pre>
 *
 * @param bytes all 16
 */
record TokenHead(byte[] bytes) {

  /** Its size in bytes. */
  static final int LENGTH = 16;

  private static final int MIC = 0x0404;
  private static final int WRAP = 0x0504;
  private static final int SENT_BY_ACCEPTOR = 1;
  private static final int SEALED = 2;
  private static final int ACCEPTORS_KEY = 4;
  private static final int FLAGS = 2;
  private static final int FILLER = 3;
  private static final int EXTRA_COUNT = 4;
  private static final int ROTATION = 6;
  private static final int SEQUENCE = 8;
  private static final byte FILLED = (byte) 0xFF;

  /** The head of a token; null if it is too short for one. */
  static TokenHead of(byte[] token) {
    return token.length < LENGTH ? null : new TokenHead(Arrays.copyOf(token, LENGTH));
  }

  boolean isMic() {
    return id() == MIC && isFilled(SEQUENCE);
  }

  boolean isWrap() {
    return id() == WRAP && isFilled(EXTRA_COUNT);
  }

  private int id() {
    return number(0);
  }

  private boolean isFilled(int end) {
    boolean filled = true;
    for (int i = FILLER; i < end; i++) {
      filled &= bytes[i] == FILLED;
    }
    return filled;
  }

  boolean sentByAcceptor() {
    return (bytes[FLAGS] & SENT_BY_ACCEPTOR) != 0;
  }

  boolean isSealed() {
    return (bytes[FLAGS] & SEALED) != 0;
  }

  boolean byAcceptorsKey() {
    return (bytes[FLAGS] & ACCEPTORS_KEY) != 0;
  }

  /** EC: of a sealed token bytes of filler, else of the checksum. */
  int extraCount() {
    return number(EXTRA_COUNT);
  }

  /** RRC: by how many bytes what follows is rotated to the right. */
  int rotation() {
    return number(ROTATION);
  }

  /** As it is protected: with an RRC of zero, and unless the token is sealed also an EC of zero. */
  byte[] signed() {
    byte[] signed = bytes.clone();
    Arrays.fill(signed, isSealed() ? ROTATION : EXTRA_COUNT, SEQUENCE, (byte) 0);
    return signed;
  }

  private int number(int at) {
    return ByteBuffer.wrap(bytes).getShort(at) & 0xFFFF;
  }
}
