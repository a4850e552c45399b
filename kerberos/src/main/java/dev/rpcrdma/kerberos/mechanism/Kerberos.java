// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import dev.rpcrdma.kerberos.gss.GssService;
import java.util.function.Supplier;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/** Begins security contexts of Kerberos V. From any thread. */
public final class Kerberos {

  /** Of the mechanism (RFC 4121 §1). */
  static final Oid MECHANISM = oid("1.2.840.113554.1.2.2");
  /** Of a name that is a principal (RFC 1964 §2.1.1). */
  private static final Oid PRINCIPAL = oid("1.2.840.113554.1.2.2.1");

  private Kerberos() {}

  private static Oid oid(String text) {
    try {
      return new Oid(text);
    } catch (GSSException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Begins contexts of who calls.
   *
   * @param options that have a service or a peer
   * @param host gives the host that is called, as it was named
   */
  public static Supplier<GssHandshake> initiator(KerberosOptions options, Supplier<String> host) {
    KerberosLogin login = KerberosLogin.initiator(options);
    boolean encrypts = options.getProtection() == RpcProtection.PRIVACY;
    return () -> new InitiatorHandshake(login, () -> peer(options, host), encrypts);
  }

  /** As GSS-API has it. Reading it may ask name servers. */
  private static GSSName peer(KerberosOptions options, Supplier<String> host) throws GSSException {
    GSSManager manager = GSSManager.getInstance();
    if (options.getPeer().isPresent()) {
      return manager.createName(options.getPeer().get(), PRINCIPAL);
    }
    String service = options.getService().orElseThrow();
    return manager.createName(service.indexOf('@') < 0 ? service + '@' + host.get() : service, GSSName.NT_HOSTBASED_SERVICE);
  }

  /** Begins contexts of who is called. */
  public static Supplier<GssHandshake> acceptor(KerberosOptions options) {
    KerberosLogin login = KerberosLogin.acceptor(options);
    return () -> new AcceptorHandshake(login, options.getContextTime());
  }

  /** The service of RPCSEC_GSS that does it. */
  public static GssService service(RpcProtection protection) {
    return switch (protection) {
      case AUTHENTICATION -> GssService.NONE;
      case INTEGRITY -> GssService.INTEGRITY;
      case PRIVACY -> GssService.PRIVACY;
      case CHANNEL -> GssService.CHANNEL;
    };
  }
}
