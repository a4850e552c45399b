// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.util.Optional;

/** What a server answers who makes a context: AP-REP (RFC 4120 §5.5.2). */
final class ContextAnswer {

  private static final int AP_REP = 15;
  private static final int ENCRYPTED_PART = 27;
  private static final int USAGE = 12;

  private ContextAnswer() {}

  /**
   * The key that the server would rather have.
   *
   * @param token the server's
   * @param sessionKey of the ticket
   * @return empty if it has not said one
   */
  static Optional<KerberosKey> subkey(byte[] token, KerberosKey sessionKey) throws KerberosException {
    DerReader answer = InitialToken.message(token, InitialToken.ANSWER).enter(DerReader.application(AP_REP))
        .enter(DerReader.SEQUENCE);
    DerReader part = EncryptedData.from(answer.field(2)).open(sessionKey, USAGE)
        .enter(DerReader.application(ENCRYPTED_PART)).enter(DerReader.SEQUENCE);
    return ContextRequest.subkey(part.optionalField(2));
  }
}
