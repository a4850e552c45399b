// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcProtection;

/** Checks of options of Kerberos that need no mechanism. */
public final class KerberosCheck {

  private KerberosCheck() {}

  /**
   * Looks whether options can be used at all.
   *
   * @param options of a client or a server
   * @param calls whether this end makes calls by them
   * @param tls whether its connections have TLS
   * @throws IllegalArgumentException if they cannot, with the remedy
   */
  public static void check(KerberosOptions options, boolean calls, boolean tls) {
    if (options.getKeytab().isPresent() && options.getTicketCache().isPresent()) {
      throw new IllegalArgumentException("kerberos has a keytab and a ticketCache: one of them says who this end is");
    }
    if (options.getService().isPresent() && options.getPeer().isPresent()) {
      throw new IllegalArgumentException("kerberos has a service and a peer: one of them says who is called");
    }
    if (calls && options.getProtection() == RpcProtection.CHANNEL && !tls) {
      throw new IllegalArgumentException("kerberos has the protection CHANNEL, which is that of TLS: tls says how");
    }
    if (calls && options.getKeytab().isPresent() && options.getPrincipal().isEmpty()) {
      throw new IllegalArgumentException("kerberos has a keytab, which may have keys of several: its principal says"
          + " whose is used");
    }
  }

  /** Whether this end says who is called, so that it can make calls. */
  public static boolean calls(KerberosOptions options) {
    return options.getService().isPresent() || options.getPeer().isPresent();
  }
}
