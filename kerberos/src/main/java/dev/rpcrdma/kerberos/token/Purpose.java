// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;

/** What a key is derived for, besides the number of its usage (RFC 3961 §5.3). */
enum Purpose {
  /** To encrypt: Ke. */
  ENCRYPTION(0xAA),
  /** For the proof within what is encrypted: Ki. */
  INTEGRITY(0x55),
  /** For proofs of what is not encrypted: Kc. */
  CHECKSUM(0x99);

  private final byte octet;

  Purpose(int octet) {
    this.octet = (byte) octet;
  }

  /** The constant that a key is derived with. */
  byte[] constant(int usage) {
    return ByteBuffer.allocate(Integer.BYTES + 1).putInt(usage).put(octet).array();
  }
}
