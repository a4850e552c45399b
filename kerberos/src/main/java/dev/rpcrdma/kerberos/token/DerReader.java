// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads as much of DER (X.690 §10) as Kerberos needs, and trusts nothing: each read checks what is left before it
 * takes or allocates anything. Not thread-safe.
 */
final class DerReader {

  /** Tag of INTEGER. */
  static final int INTEGER = 0x02;
  /** Tag of OCTET STRING. */
  static final int OCTET_STRING = 0x04;
  /** Tag of OBJECT IDENTIFIER. */
  static final int OBJECT_IDENTIFIER = 0x06;
  /** Tag of GeneralString, which KerberosString is. */
  static final int GENERAL_STRING = 0x1B;
  /** Tag of SEQUENCE and SEQUENCE OF. */
  static final int SEQUENCE = 0x30;

  private static final int APPLICATION = 0x60;
  private static final int CONTEXT = 0xA0;
  private static final int LONG_LENGTH = 0x80;
  private static final int MOST_LENGTH_BYTES = 4;

  private final ByteBuffer bytes;

  DerReader(ByteBuffer bytes) {
    this.bytes = bytes.slice();
  }

  /** The tag of an [APPLICATION] type, which is explicit in Kerberos. */
  static int application(int number) {
    return APPLICATION | number;
  }

  boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** Bytes behind what was read. */
  byte[] rest() {
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    return rest;
  }

  /** Enters the next element, which must have a tag. */
  DerReader enter(int tag) throws KerberosException {
    if (!bytes.hasRemaining()) {
      throw new KerberosException("It is cut short");
    }
    int found = bytes.get(bytes.position()) & 0xFF;
    if (found != tag) {
      throw new KerberosException(String.format("The DER has the tag 0x%02x where 0x%02x is expected", found, tag));
    }
    bytes.get();
    int length = length();
    DerReader content = new DerReader(bytes.slice(bytes.position(), length));
    bytes.position(bytes.position() + length);
    return content;
  }

  /** Enters a field of a SEQUENCE, which must be the next but for fields with smaller numbers. */
  DerReader field(int number) throws KerberosException {
    Optional<DerReader> found = optionalField(number);
    if (found.isEmpty()) {
      throw new KerberosException("The DER has no field " + number);
    }
    return found.get();
  }

  /** Enters a field of a SEQUENCE if it is there, behind fields with smaller numbers. */
  Optional<DerReader> optionalField(int number) throws KerberosException {
    while (bytes.hasRemaining()) {
      int tag = bytes.get(bytes.position()) & 0xFF;
      if (tag > (CONTEXT | number)) {
        return Optional.empty();
      }
      DerReader content = enter(tag);
      if (tag == (CONTEXT | number)) {
        return Optional.of(content);
      }
    }
    return Optional.empty();
  }

  /** An INTEGER of 32 bits, signed or not. */
  int integer() throws KerberosException {
    byte[] content = enter(INTEGER).rest();
    if (content.length == 0 || content.length > Integer.BYTES + 1) {
      throw new KerberosException("The DER has an INTEGER of " + content.length + " bytes");
    }
    BigInteger value = new BigInteger(content);
    if (value.bitLength() > (value.signum() < 0 ? Integer.SIZE - 1 : Integer.SIZE)) {
      throw new KerberosException("The DER has an INTEGER of more than 32 bits");
    }
    return value.intValue();
  }

  byte[] octets() throws KerberosException {
    return enter(OCTET_STRING).rest();
  }

  /** A KerberosString, as people may see it. */
  String text() throws KerberosException {
    return new String(enter(GENERAL_STRING).rest(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
  }

  private int length() throws KerberosException {
    int first = next();
    long length = first;
    if (first >= LONG_LENGTH) {
      int count = first - LONG_LENGTH;
      if (count == 0 || count > MOST_LENGTH_BYTES) {
        throw new KerberosException("The DER has a length of " + count + " bytes");
      }
      length = 0;
      for (int i = 0; i < count; i++) {
        length = length << Byte.SIZE | next();
      }
    }
    if (length > bytes.remaining()) {
      throw new KerberosException("It is cut short: " + length + " bytes are needed, " + bytes.remaining()
          + " are left");
    }
    return (int) length;
  }

  private int next() throws KerberosException {
    if (!bytes.hasRemaining()) {
      throw new KerberosException("It is cut short");
    }
    return bytes.get() & 0xFF;
  }
}
