// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * AES with HMAC-SHA1-96 (RFC 3962, by the simplified profile of RFC 3961 §5.3): what is hashed is the plain text.
 *
 * @param keyLength bytes of all keys
 */
record Sha1Profile(int keyLength) implements Profile {

  /** Bytes of a proof. */
  static final int PROOF = 12;

  private static final String HASH = "HmacSHA1";

  @Override
  public byte[] derive(byte[] base, int usage, Purpose purpose) {
    return derive(base, purpose.constant(usage));
  }

  /** DR (RFC 3961 §5.1): the folded constant, encrypted again and again; a key is any bytes (RFC 3962 §6). */
  byte[] derive(byte[] base, byte[] constant) {
    ByteBuffer derived = ByteBuffer.allocate(keyLength);
    byte[] block = Folding.fold(constant, Aes.BLOCK);
    while (derived.hasRemaining()) {
      block = Aes.encryptBlock(base, block);
      derived.put(block, 0, Math.min(block.length, derived.remaining()));
    }
    return derived.array();
  }

  @Override
  public byte[] decrypt(byte[] base, int usage, byte[] text) {
    byte[] plain = Aes.decrypt(derive(base, usage, Purpose.ENCRYPTION),
        Arrays.copyOf(text, text.length - PROOF));
    byte[] proof = Hmac.of(HASH, derive(base, usage, Purpose.INTEGRITY), PROOF, plain);
    byte[] found = Arrays.copyOfRange(text, text.length - PROOF, text.length);
    return MessageDigest.isEqual(proof, found) ? plain : null;
  }

  @Override
  public byte[] checksum(byte[] base, int usage, byte[]... message) {
    return Hmac.of(HASH, derive(base, usage, Purpose.CHECKSUM), PROOF, message);
  }
}
