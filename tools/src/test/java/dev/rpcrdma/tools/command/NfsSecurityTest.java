// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcUser;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How clients of NFS may say who they are. */
class NfsSecurityTest {

  private static Optional<RpcUser> user(RpcUser.Proof proof, RpcProtection protection) {
    return Optional.of(new RpcUser("alice", new JsonObject().put("protection", protection.name()), Optional.empty(),
        proof));
  }

  @Test
  void isReadAsMountHasIt() {
    assertThat(NfsSecurity.parse("sys")).containsExactly(NfsSecurity.SYS);
    assertThat(NfsSecurity.parse("krb5p:krb5:krb5i")).containsExactly(NfsSecurity.KRB5, NfsSecurity.KRB5I,
        NfsSecurity.KRB5P);
    for (String wrong : List.of("", "krb", "sys:", "SYS", "krb5,sys")) {
      assertThatThrownBy(() -> NfsSecurity.parse(wrong)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Not one of sys, krb5, krb5i and krb5p");
    }
  }

  /** RFC 2623 §4.2, §4.3. */
  @Test
  void isToldByItsFlavor() {
    assertThat(Arrays.stream(NfsSecurity.values()).mapToInt(NfsSecurity::flavor))
        .containsExactly(1, 390_003, 390_004, 390_005);
  }

  @Test
  void eachTakesJustItsOwnCalls() {
    List<Optional<RpcUser>> users = List.of(user(RpcUser.Proof.NONE, RpcProtection.PRIVACY),
        user(RpcUser.Proof.KERBEROS, RpcProtection.AUTHENTICATION),
        user(RpcUser.Proof.KERBEROS, RpcProtection.INTEGRITY), user(RpcUser.Proof.KERBEROS, RpcProtection.PRIVACY));
    for (NfsSecurity each : NfsSecurity.values()) {
      assertThat(users).filteredOn(each::is).containsExactly(users.get(each.ordinal()));
    }
    assertThat(NfsSecurity.SYS.is(Optional.empty())).isTrue();
  }
}
