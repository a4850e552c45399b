// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Something encrypted (RFC 4120 §5.2.9).
 *
 * @param type number of its encryption type
 * @param version of the key; 0 if it is not told
 * @param text encrypted
 */
record EncryptedData(int type, int version, byte[] text) {

  /** Reads one at its SEQUENCE. */
  static EncryptedData from(DerReader der) throws KerberosException {
    DerReader fields = der.enter(DerReader.SEQUENCE);
    int type = fields.field(0).integer();
    int version = 0;
    Optional<DerReader> told = fields.optionalField(1);
    if (told.isPresent()) {
      version = told.get().integer();
    }
    return new EncryptedData(type, version, fields.field(2).octets());
  }

  /**
   * Opens it.
   *
   * @param key that made it
   * @param usage number of what it is (RFC 4120 §7.5.1)
   * @return the DER in it
   * @throws KerberosException if the key has not made it
   */
  DerReader open(KerberosKey key, int usage) throws KerberosException {
    if (key.type().number() != type) {
      throw new KerberosException("It is of encryption type " + type + ", and its key of " + key.type().number());
    }
    return new DerReader(ByteBuffer.wrap(key.decrypt(usage, text)));
  }

  /** Reads an EncryptionKey (RFC 4120 §5.2.9) at its SEQUENCE. */
  static KerberosKey key(DerReader der) throws KerberosException {
    DerReader fields = der.enter(DerReader.SEQUENCE);
    int number = fields.field(0).integer();
    EncryptionType type = EncryptionType.of(number)
        .orElseThrow(() -> new NoKeyException("encryption type " + number + " is not read"));
    return new KerberosKey(type, fields.field(1).octets());
  }
}
