// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.testkit.TestKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whom a server takes for the user of a call. */
class UsersTest {

  private static final OpaqueAuth SYS = new AuthSys(1, "here", -1, 7, List.of(-2, 8)).toAuth();

  private static Certificate certificate(TestKeys keys) throws CertificateException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(keys.trust().getJsonArray("certValues").getBinary(0)));
  }

  private static Optional<RpcUser> user(OpaqueAuth credential, Certificate... certificates) {
    return Users.of(CallSecurity.NONE, credential, List.of(certificates));
  }

  /** Fails if {@code Users.sys} leaves out a number, or takes one for negative. */
  @Test
  @DisplayName("AUTH_SYS names a user, which nothing proves; its numbers are unsigned")
  void sys() {
    assertThat(user(SYS)).contains(new RpcUser("uid:4294967295", new JsonObject().put("uid", 4294967295L)
        .put("gid", 7L).put("gids", new JsonArray().add(4294967294L).add(8L)).put("machine", "here"), Optional.empty(),
        RpcUser.Proof.NONE));
    assertThat(Users.of(SYS)).isEqualTo(user(SYS));
    assertThat(Users.of(OpaqueAuth.NONE)).isEmpty();
  }

  /** Fails if {@code AlternativeNames.of} leaves out a kind, or keeps one name of a kind alone. */
  @Test
  @DisplayName("A certificate names a user, with its alternative names, to calls that say nothing; and never another's")
  void certificate() throws CertificateException {
    Certificate named = certificate(TestKeys.forNames(
        "dns:one.example,dns:two.example,uri:https://three.example/,email:four@five.example,ip:127.0.0.6,oid:1.2.3"));
    assertThat(user(OpaqueAuth.NONE, named, certificate(TestKeys.rsa()))).contains(new RpcUser("CN=test",
        new JsonObject().put("dns", new JsonArray().add("one.example").add("two.example"))
            .put("uri", new JsonArray().add("https://three.example/"))
            .put("email", new JsonArray().add("four@five.example")).put("ip", new JsonArray().add("127.0.0.6")),
        Optional.empty(), RpcUser.Proof.CERTIFICATE));
    assertThat(user(SYS, named)).isEqualTo(user(SYS));
    assertThat(user(OpaqueAuth.NONE)).isEmpty();
  }

  @Test
  @DisplayName("A certificate without alternative names has none")
  void withoutNames() throws CertificateException {
    assertThat(user(OpaqueAuth.NONE, certificate(TestKeys.rsa())).orElseThrow().attributes()).isEmpty();
  }

  @Test
  @DisplayName("A handle's user is that of its token")
  void handle() {
    RpcUser bob = new RpcUser("bob");
    assertThat(Users.of(new HandleAuthenticator.Known(bob), SYS, List.of())).contains(bob);
  }
}
