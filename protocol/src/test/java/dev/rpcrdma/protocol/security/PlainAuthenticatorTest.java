// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlainAuthenticatorTest {

  private static CallHeader call(OpaqueAuth credential) {
    return new CallHeader(7, 100, 3, 6, credential);
  }

  private static Verdict judged(OpaqueAuth credential) {
    return Authenticator.PLAIN.judge(call(credential), ByteBuffer.allocate(0), later -> {
      throw new AssertionError("It was judged at once");
    });
  }

  private static Object principal(OpaqueAuth credential) {
    return ((CallSecurity) judged(credential)).principal(call(credential));
  }

  @Test
  @DisplayName("B-108: a credential that cannot be read, or proves something, is refused")
  void refused() {
    byte[] sys = new AuthSys(7, "host", 1000, 100, List.of()).toAuth().body();
    assertThat(judged(new OpaqueAuth(AuthFlavor.SYS, new byte[4])))
        .isEqualTo(new Verdict.Refused(AuthStatus.BADCRED));
    for (int flavor : new int[] {AuthFlavor.SHORT, AuthFlavor.DH, AuthFlavor.GSS, -1}) {
      assertThat(judged(new OpaqueAuth(flavor, sys)))
          .isEqualTo(new Verdict.Refused(AuthStatus.REJECTEDCRED));
    }
  }

  @Test
  @DisplayName("Replies to AUTH_NONE and AUTH_SYS have an empty verifier")
  void letIn() {
    for (OpaqueAuth credential : List.of(OpaqueAuth.NONE, new AuthSys(7, "host", 1000, 100, List.of()).toAuth())) {
      CallSecurity security = (CallSecurity) judged(credential);
      assertThat(security.verifier()).isEqualTo(OpaqueAuth.NONE);
      assertThat(security.verifierLength()).isEqualTo(8);
    }
  }

  @Test
  @DisplayName("A user is one principal whatever the stamp of its credential, and no other user is it")
  void principals() {
    Object user = principal(new AuthSys(7, "host", 1000, 100, List.of(5)).toAuth());
    assertThat(principal(new AuthSys(8, "host", 1000, 100, List.of(5)).toAuth())).isEqualTo(user);
    assertThat(principal(new AuthSys(7, "host", 1001, 100, List.of(5)).toAuth())).isNotEqualTo(user);
    assertThat(principal(new AuthSys(7, "host", 1000, 101, List.of(5)).toAuth())).isNotEqualTo(user);
    assertThat(principal(new AuthSys(7, "host", 1000, 100, List.of(6)).toAuth())).isNotEqualTo(user);
    assertThat(principal(OpaqueAuth.NONE)).isNotEqualTo(user).isEqualTo(principal(OpaqueAuth.NONE));
  }
}
