// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.tools.command.NfsSecurity;
import dev.rpcrdma.tools.command.TlsOptions;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.net.ClientSSLOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** How a command that connects proves who it is, and has calls protected. */
final class SecurityOptions extends TlsOptions {

  @Option(names = "--sec", paramLabel = "FLAVOR",
      description = "How calls say who makes them, as mount's sec= has it: by Kerberos, krb5, krb5i or krb5p; or sys, by "
          + "which these say nothing (${DEFAULT-VALUE}).")
  private String security = "sys";

  @Option(names = "--service", paramLabel = "NAME",
      description = "For Kerberos: which service is called, such as nfs, on the host that is connected to, or "
          + "nfs@host.example.org.")
  private String service;

  @Option(names = "--principal", paramLabel = "NAME",
      description = "For Kerberos: who calls, as alice@EXAMPLE.ORG; by default who the ticket cache (kinit) says.")
  private String principal;

  @Option(names = "--keytab", paramLabel = "FILE",
      description = "For Kerberos: the key of --principal; by default there has to be a ticket.")
  private Path keytab;

  @Option(names = "--bind-tls",
      description = "For --sec krb5 with --tls: binds both to each other, so that nobody can stand between two "
          + "connections of TLS; then TLS alone protects calls (RFC 5403).")
  private boolean bindTls;

  /** The same options with what this says. */
  RpcClientOptions secure(RpcClientOptions options) {
    if (hasTls()) {
      options.setTls(with(new ClientSSLOptions()));
    }
    protection().ifPresent(protection -> options.setKerberos(kerberos().setProtection(protection)));
    return options;
  }

  /** How calls are protected by Kerberos; empty if they are not. */
  Optional<RpcProtection> protection() {
    NfsSecurity flavor = flavor();
    needs("--bind-tls", bindTls, "--sec krb5", flavor == NfsSecurity.KRB5);
    needs("--bind-tls", bindTls, "--tls", hasTls());
    return bindTls ? Optional.of(RpcProtection.CHANNEL) : flavor.protection();
  }

  NfsSecurity flavor() {
    Set<NfsSecurity> flavors;
    try {
      flavors = NfsSecurity.parse(security);
    } catch (IllegalArgumentException e) {
      throw wrong(Causes.message(e));
    }
    if (flavors.size() > 1) {
      throw wrong("Calls are made by one flavor of --sec, not by " + security);
    }
    NfsSecurity flavor = flavors.iterator().next();
    String kerberos = "--sec krb5, krb5i or krb5p";
    needs("--service", service != null, kerberos, flavor.isKerberos());
    needs("--principal", principal != null, kerberos, flavor.isKerberos());
    needs("--keytab", keytab != null, kerberos, flavor.isKerberos());
    return flavor;
  }

  private KerberosOptions kerberos() {
    needs("--sec " + security, true, "--service, the name of the service that is called", service != null);
    needs("--keytab", keytab != null, "--principal", principal != null);
    KerberosOptions options = new KerberosOptions().setService(service);
    if (principal != null) {
      options.setPrincipal(principal);
    }
    return keytab == null ? options : options.setKeytab(keytab.toString());
  }
}
