// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * AES with HMAC-SHA2 (RFC 8009): what is hashed is the encrypted text, behind the IV of zeros.
 *
 * @param hash as the JDK calls it
 * @param keyLength bytes of keys that encrypt
 * @param proofLength bytes of a proof, and of the keys of proofs
 */
record Sha2Profile(String hash, int keyLength, int proofLength) implements Profile {

  private static final byte[] IV = new byte[Aes.BLOCK];

  /** KDF-HMAC-SHA2 (RFC 8009 §3), of which one round is enough. */
  @Override
  public byte[] derive(byte[] base, int usage, Purpose purpose) {
    int length = purpose == Purpose.ENCRYPTION ? keyLength : proofLength;
    byte[] round = ByteBuffer.allocate(Integer.BYTES).putInt(1).array();
    byte[] end = ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 0).putInt(length * Byte.SIZE).array();
    return Hmac.of(hash, base, length, round, purpose.constant(usage), end);
  }

  @Override
  public byte[] decrypt(byte[] base, int usage, byte[] text) {
    byte[] encrypted = Arrays.copyOf(text, text.length - proofLength);
    byte[] proof = Hmac.of(hash, derive(base, usage, Purpose.INTEGRITY), proofLength, IV, encrypted);
    byte[] found = Arrays.copyOfRange(text, encrypted.length, text.length);
    return MessageDigest.isEqual(proof, found)
        ? Aes.decrypt(derive(base, usage, Purpose.ENCRYPTION), encrypted) : null;
  }

  @Override
  public byte[] checksum(byte[] base, int usage, byte[]... message) {
    return Hmac.of(hash, derive(base, usage, Purpose.CHECKSUM), proofLength, message);
  }
}
