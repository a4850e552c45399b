// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.util.Optional;

/**
 * What a client has sent to make a context, opened: AP-REQ, its ticket and its authenticator (RFC 4120 §5.3, §5.5.1).
 */
public final class ContextRequest {

  private static final int AP_REQ = 14;
  private static final int TICKET = 1;
  private static final int TICKET_PART = 3;
  private static final int AUTHENTICATOR = 2;
  private static final int USAGE_TICKET = 2;
  private static final int USAGE_AUTHENTICATOR = 11;

  private final String client;
  private final String service;
  private final KerberosKey sessionKey;
  private final KerberosKey subkey;

  private ContextRequest(String client, String service, KerberosKey sessionKey, KerberosKey subkey) {
    this.client = client;
    this.service = service;
    this.sessionKey = sessionKey;
    this.subkey = subkey;
  }

  /**
   * Opens one.
   *
   * @param token the client's
   * @param keytab keys of services
   * @return what is in it
   * @throws KerberosException if it is malformed, or no key opens it
   */
  public static ContextRequest open(byte[] token, Keytab keytab) throws KerberosException {
    DerReader request = InitialToken.message(token, InitialToken.REQUEST).enter(DerReader.application(AP_REQ))
        .enter(DerReader.SEQUENCE);
    DerReader ticket = request.field(3).enter(DerReader.application(TICKET)).enter(DerReader.SEQUENCE);
    String realm = ticket.field(1).text();
    String service = PrincipalNames.principal(realm, ticket.field(2));
    DerReader part = keytab.open(service, EncryptedData.from(ticket.field(3)), USAGE_TICKET)
        .enter(DerReader.application(TICKET_PART)).enter(DerReader.SEQUENCE);
    KerberosKey sessionKey = EncryptedData.key(part.field(1));
    String clientRealm = part.field(2).text();
    String client = PrincipalNames.principal(clientRealm, part.field(3));
    DerReader authenticator = EncryptedData.from(request.field(4)).open(sessionKey, USAGE_AUTHENTICATOR)
        .enter(DerReader.application(AUTHENTICATOR)).enter(DerReader.SEQUENCE);
    String callerRealm = authenticator.field(1).text();
    if (!PrincipalNames.principal(callerRealm, authenticator.field(2)).equals(client)) {
      throw new KerberosException("The ticket is that of " + client + ", and the authenticator of somebody else");
    }
    return new ContextRequest(client, service, sessionKey, subkey(authenticator.optionalField(6)).orElse(null));
  }

  static Optional<KerberosKey> subkey(Optional<DerReader> field) throws KerberosException {
    return field.isEmpty() ? Optional.empty() : Optional.of(EncryptedData.key(field.get()));
  }

  /**
   * Who makes the context.
   *
   * @return the principal's name
   */
  public String client() {
    return client;
  }

  /**
   * For whom the ticket is.
   *
   * @return the principal's name
   */
  public String service() {
    return service;
  }

  /**
   * The context that stands with the server's answer.
   *
   * @param answer the server's token; empty if the client wants no proof of the server
   * @return its keys
   * @throws KerberosException if the answer is malformed, or not that of a server who has opened this
   */
  public ContextKeys answered(byte[] answer) throws KerberosException {
    KerberosKey mine = subkey == null ? sessionKey : subkey;
    return new ContextKeys(mine, answer.length == 0 ? null : ContextAnswer.subkey(answer, sessionKey).orElse(null));
  }

  /** Without keys. */
  @Override
  public String toString() {
    return client + " to " + service;
  }
}
