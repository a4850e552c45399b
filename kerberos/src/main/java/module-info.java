// SPDX-License-Identifier: Apache-2.0
/**
 * Kerberos for ONC RPC: RPCSEC_GSS (RFC 2203, RFC 5403), by the JDK's GSS-API.
 */
@SuppressWarnings("module")
module dev.rpcrdma.kerberos {
  requires transitive dev.rpcrdma.api;
  requires io.netty.transport;
  requires io.vertx.core.logging;
  requires java.security.jgss;
  requires jdk.security.auth;

  exports dev.rpcrdma.kerberos.gss to dev.rpcrdma.tools;
  exports dev.rpcrdma.kerberos.token to dev.rpcrdma.tools;

  provides dev.rpcrdma.api.impl.mechanism.SecurityMechanism with dev.rpcrdma.kerberos.mechanism.KerberosMechanism;
}
