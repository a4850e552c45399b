// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.util.Optional;

/** The encryption types that are read (RFC 3962 §7, RFC 8009 §5): those of AES, which are all that are in use. */
enum EncryptionType {
  /** aes128-cts-hmac-sha1-96. */
  AES128_SHA1(17, 16, Sha1Profile.PROOF, new Sha1Profile(16)),
  /** aes256-cts-hmac-sha1-96. */
  AES256_SHA1(18, 32, Sha1Profile.PROOF, new Sha1Profile(32)),
  /** aes128-cts-hmac-sha256-128. */
  AES128_SHA256(19, 16, 16, new Sha2Profile("HmacSHA256", 16, 16)),
  /** aes256-cts-hmac-sha384-192. */
  AES256_SHA384(20, 32, 24, new Sha2Profile("HmacSHA384", 32, 24));

  private final int number;
  private final int keyLength;
  private final int proofLength;
  private final Profile profile;

  EncryptionType(int number, int keyLength, int proofLength, Profile profile) {
    this.number = number;
    this.keyLength = keyLength;
    this.proofLength = proofLength;
    this.profile = profile;
  }

  /** The type of a number; empty if it is not read. */
  static Optional<EncryptionType> of(int number) {
    for (EncryptionType type : values()) {
      if (type.number == number) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  int number() {
    return number;
  }

  /** Bytes of a key. */
  int keyLength() {
    return keyLength;
  }

  /** Bytes of a proof. */
  int proofLength() {
    return proofLength;
  }

  Profile profile() {
    return profile;
  }
}
