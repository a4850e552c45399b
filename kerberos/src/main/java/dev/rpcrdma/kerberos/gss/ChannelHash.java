// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the bindings of a channel are hashed before they are signed (RFC 5403 §3.3). On the wire it is an object
 * identifier (RFC 4055 §2.1) as GSS-API has them: what follows its tag and length in DER (RFC 2744 §3.2).
 */
enum ChannelHash {
  SHA_256("SHA-256", 1),
  SHA_384("SHA-384", 2),
  SHA_512("SHA-512", 3);

  private final String algorithm;
  private final byte[] oid;

  /** Those of NIST are 2.16.840.1.101.3.4.2 and a number. */
  ChannelHash(String algorithm, int number) {
    this.algorithm = algorithm;
    this.oid = new byte[] {0x60, (byte) 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, (byte) number};
  }

  static Optional<ChannelHash> of(byte[] oid) {
    return Stream.of(values()).filter(hash -> Arrays.equals(hash.oid, oid)).findFirst();
  }

  static List<byte[]> oids() {
    return Stream.of(values()).map(ChannelHash::oid).toList();
  }

  byte[] oid() {
    return oid.clone();
  }

  byte[] hash(byte[] bindings) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bindings);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has " + algorithm, e);
    }
  }
}
