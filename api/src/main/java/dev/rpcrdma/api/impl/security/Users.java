// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ProvenUser;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Who a call is of. */
public final class Users {

  private Users() {}

  /**
   * The user of a call that was let in.
   *
   * @param security the verdict
   * @param credential of the call
   * @param certificates of the peer, its own first; empty if it has none
   */
  public static Optional<RpcUser> of(CallSecurity security, OpaqueAuth credential, List<Certificate> certificates) {
    if (security instanceof HandleAuthenticator.Known known) {
      return Optional.of(known.user());
    }
    if (security instanceof ProvenUser proven) {
      return Optional.of(new RpcUser(proven.name(),
          new JsonObject().put("protection", protection(proven.protection()).name()), Optional.empty(),
          RpcUser.Proof.KERBEROS));
    }
    Optional<RpcUser> said = of(credential);
    return said.isPresent() || certificates.isEmpty() ? said : subject(certificates.get(0));
  }

  private static RpcProtection protection(ProvenUser.Protection protection) {
    return switch (protection) {
      case AUTHENTICATION -> RpcProtection.AUTHENTICATION;
      case INTEGRITY -> RpcProtection.INTEGRITY;
      case PRIVACY -> RpcProtection.PRIVACY;
      case CHANNEL -> RpcProtection.CHANNEL;
    };
  }

  /**
   * The user that a credential names by itself.
   *
   * @param credential of a call
   * @return that of AUTH_SYS, which nothing proves; empty for all else
   * @throws dev.rpcrdma.protocol.xdr.XdrException if it is AUTH_SYS and broken
   */
  public static Optional<RpcUser> of(OpaqueAuth credential) {
    return credential.flavor() == AuthFlavor.SYS ? Optional.of(sys(AuthSys.from(credential))) : Optional.empty();
  }

  private static RpcUser sys(AuthSys sys) {
    JsonArray groups = new JsonArray();
    sys.gids().forEach(gid -> groups.add(Integer.toUnsignedLong(gid)));
    long uid = Integer.toUnsignedLong(sys.uid());
    return new RpcUser("uid:" + uid, new JsonObject().put("uid", uid)
        .put("gid", Integer.toUnsignedLong(sys.gid())).put("gids", groups).put("machine", sys.machineName()),
        Optional.empty(), RpcUser.Proof.NONE);
  }

  private static Optional<RpcUser> subject(Certificate certificate) {
    return certificate instanceof X509Certificate x509
        ? Optional.of(new RpcUser(x509.getSubjectX500Principal().getName(), AlternativeNames.of(x509),
            Optional.empty(), RpcUser.Proof.CERTIFICATE)) : Optional.empty();
  }
}
