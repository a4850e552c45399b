// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

/** The keys of a context that stands (RFC 4121 §2). */
public final class ContextKeys {

  private final KerberosKey initiators;
  private final KerberosKey acceptors;

  /**
   * Creates them.
   *
   * @param initiators the subkey of the client, or the session key
   * @param acceptors the subkey of the server; null if it has said none
   */
  ContextKeys(KerberosKey initiators, KerberosKey acceptors) {
    this.initiators = initiators;
    this.acceptors = acceptors;
  }

  /** The key of a token; null if there is no such key. */
  KerberosKey of(TokenHead head) {
    return head.byAcceptorsKey() ? acceptors : initiators;
  }

  /**
   * Opens what the client has signed and wrapped.
   *
   * @return the client's tokens
   */
  public SentTokens fromClient() {
    return new SentTokens(this, false);
  }

  /**
   * Opens what the server has signed and wrapped.
   *
   * @return the server's tokens
   */
  public SentTokens fromServer() {
    return new SentTokens(this, true);
  }

  /** Without keys. */
  @Override
  public String toString() {
    return "client: " + initiators + ", server: " + (acceptors == null ? "none of its own" : acceptors);
  }
}
