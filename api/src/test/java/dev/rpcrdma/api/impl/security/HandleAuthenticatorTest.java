// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Verdicts on calls with handles, by their heads alone. */
class HandleAuthenticatorTest {

  private final TokenHandles handles = new TokenHandles();
  private final HandleAuthenticator authenticator = new HandleAuthenticator(handles, Authenticator.PLAIN);

  private OpaqueAuth given(RpcUser user, long now) {
    return new OpaqueAuth(TokenHandles.FLAVOR, handles.add(user, now));
  }

  private Verdict judge(OpaqueAuth credential, OpaqueAuth verifier) {
    return authenticator.judge(new CallHeader(1, OncRpc.RPC_VERSION, 2, 3, 4, credential, verifier),
        ByteBuffer.allocate(0), verdict -> { });
  }

  private Verdict judge(OpaqueAuth credential) {
    return judge(credential, OpaqueAuth.NONE);
  }

  @Test
  @DisplayName("The principal is the user, whatever handle the call has")
  void principal() {
    RpcUser alice = new RpcUser("alice");
    CallSecurity first = (CallSecurity) judge(given(alice, System.nanoTime()));
    CallSecurity second = (CallSecurity) judge(given(alice, System.nanoTime()));
    assertThat(first.principal(null)).isEqualTo(second.principal(null)).isEqualTo("alice");
    assertThat(first.verifier()).isEqualTo(OpaqueAuth.NONE);
    assertThat(first.verifierLength()).isEqualTo(8);
  }

  @Test
  @DisplayName("A handle comes with an empty verifier, has the length of handles, and is known")
  void refused() {
    OpaqueAuth handle = given(new RpcUser("alice"), System.nanoTime());
    assertThat(judge(handle, new OpaqueAuth(1, new byte[4]))).isEqualTo(new Verdict.Refused(AuthStatus.BADVERF));
    assertThat(judge(new OpaqueAuth(TokenHandles.FLAVOR, new byte[16])))
        .isEqualTo(new Verdict.Refused(AuthStatus.REJECTEDCRED));
    assertThat(judge(new OpaqueAuth(TokenHandles.FLAVOR, new byte[0])))
        .isEqualTo(new Verdict.Refused(AuthStatus.REJECTEDCRED));
  }

  @Test
  @DisplayName("Other flavors are judged as ever")
  void others() {
    assertThat(judge(OpaqueAuth.NONE)).isSameAs(CallSecurity.NONE);
    assertThat(judge(new OpaqueAuth(6, new byte[4]))).isEqualTo(new Verdict.Refused(AuthStatus.REJECTEDCRED));
  }

  @Test
  @DisplayName("A handle is good for as long as was said")
  void validFor() {
    long now = System.nanoTime();
    OpaqueAuth old = given(
        new RpcUser("alice", new JsonObject(), Optional.of(Duration.ofSeconds(5))), now - 5_000_000_000L);
    assertThat(judge(old)).isInstanceOf(Verdict.Refused.class);
    OpaqueAuth young = given(
        new RpcUser("alice", new JsonObject(), Optional.of(Duration.ofSeconds(5))), now - 4_000_000_000L);
    assertThat(judge(young)).isInstanceOf(CallSecurity.class);
  }
}
