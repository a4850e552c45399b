// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ServerSSLOptions;
import picocli.CommandLine.Option;

/** TLS of a command that serves. */
public final class ServerTlsOptions extends TlsOptions {

  @Option(names = "--tls-client-auth", description = "Take clients with a certificate of --tls-trust alone.")
  private boolean clientAuth;

  /** For picocli. */
  public ServerTlsOptions() {}

  /**
   * Adds to options what this says.
   *
   * @param options of a server
   * @return the same
   */
  public RpcServerOptions secure(RpcServerOptions options) {
    boolean tls = hasTls();
    needs("--tls-client-auth", clientAuth, "--tls", tls);
    needs("--tls-client-auth", clientAuth, "--tls-trust", hasTrust());
    needs("--tls", tls, "--tls-cert and --tls-key", hasCertificate());
    return tls ? options.setTls(with(new ServerSSLOptions()
        .setClientAuth(clientAuth ? ClientAuth.REQUIRED : ClientAuth.NONE))) : options;
  }
}
