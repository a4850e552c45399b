// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.security.MessageDigest;
import java.util.Arrays;

/** A key that others are derived from for each usage. Its bytes are told to nobody. */
final class KerberosKey {

  private final EncryptionType type;
  private final byte[] bytes;

  /**
   * Creates one.
   *
   * @throws KerberosException if it has another length than keys of its type
   */
  KerberosKey(EncryptionType type, byte[] bytes) throws KerberosException {
    if (bytes.length != type.keyLength()) {
      throw new KerberosException("A key of encryption type " + type.number() + " has " + type.keyLength()
          + " bytes, not " + bytes.length);
    }
    this.type = type;
    this.bytes = bytes.clone();
  }

  EncryptionType type() {
    return type;
  }

  /**
   * Opens a text (RFC 3961 §3, decryption function).
   *
   * @param usage number of what it is
   * @return what was encrypted, without the confounder
   * @throws KerberosException if this key has not made it
   */
  byte[] decrypt(int usage, byte[] text) throws KerberosException {
    byte[] plain = text.length < Aes.BLOCK + type.proofLength() ? null
        : type.profile().decrypt(bytes, usage, text);
    if (plain == null) {
      throw new KerberosException("It was changed, or encrypted with another key");
    }
    return Arrays.copyOfRange(plain, Aes.BLOCK, plain.length);
  }

  /**
   * Whether this key has made a proof (RFC 3961 §4, verify_mic).
   *
   * @param message in parts, one behind the other
   */
  boolean verifies(int usage, byte[] proof, byte[]... message) {
    return MessageDigest.isEqual(type.profile().checksum(bytes, usage, message), proof);
  }

  @Override
  public String toString() {
    return "a key of encryption type " + type.number();
  }
}
