// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A token by which a context is made: the mechanism's name, and what it is (RFC 2743 §3.1, RFC 4121 §4.1).
 *
 * <pre>0x60 length | OBJECT IDENTIFIER | token id (2) | message</pre>
 */
final class InitialToken {

  /** Token id of KRB_AP_REQ. */
  static final int REQUEST = 0x0100;
  /** Token id of KRB_AP_REP. */
  static final int ANSWER = 0x0200;
  /** Token id of KRB_ERROR. */
  private static final int ERROR = 0x0300;

  /** 1.2.840.113554.1.2.2. */
  private static final byte[] KERBEROS = {0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x12, 0x01, 0x02, 0x02};

  private InitialToken() {}

  /**
   * The message in a token.
   *
   * @param expected token id
   * @return the message's DER
   * @throws KerberosException if the token is another one, or none
   */
  static DerReader message(byte[] token, int expected) throws KerberosException {
    DerReader framed = new DerReader(ByteBuffer.wrap(token)).enter(DerReader.application(0));
    if (!Arrays.equals(framed.enter(DerReader.OBJECT_IDENTIFIER).rest(), KERBEROS)) {
      throw new NoKeyException("the token is of another mechanism than Kerberos");
    }
    ByteBuffer inner = ByteBuffer.wrap(framed.rest());
    if (inner.remaining() < Short.BYTES) {
      throw new KerberosException("It is cut short");
    }
    int id = inner.getShort() & 0xFFFF;
    if (id == ERROR) {
      throw new KerberosException("The token is an error of Kerberos");
    }
    if (id != expected) {
      throw new KerberosException(String.format("The token has the id 0x%04x where 0x%04x is expected", id, expected));
    }
    return new DerReader(inner);
  }
}
