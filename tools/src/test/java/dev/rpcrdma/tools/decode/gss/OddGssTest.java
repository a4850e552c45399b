// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.token.ToyRealm;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that are sent again, and servers of equal handles. */
@DisplayName("RPCSEC_GSS of odd conversations")
final class OddGssTest extends GssConversationBed {

  private void connect(int number, String server) {
    connection = connection(number, server);
    conversation = contexts.conversation();
  }

  /** Another server, which gives the same handle. */
  private void makeElsewhere() {
    connect(2, "10.0.0.3");
    realm = new ToyRealm(18, true, 7);
    make(HANDLE, WINDOW);
  }

  /** Fails if {@code OpenCall} knows the last attempt alone (RFC 2203 §5.3.3.1). */
  @Test
  @DisplayName("A call that is sent again with another number: the reply to any attempt is good")
  void attempts() {
    make(HANDLE, WINDOW);
    for (int answered = 1; answered <= 3; answered++) {
      for (int attempt = 1; attempt <= 3; attempt++) {
        GssCredential credential = data(10 * answered + attempt, GssService.INTEGRITY);
        signedCall(answered, credential, protect(false, credential));
      }
      int number = 10 * answered + answered;
      assertThat(reply(answered, signed(number), AcceptStatus.SUCCESS,
          protect(true, data(number, GssService.INTEGRITY))).get(0).text())
          .contains("number " + number + ": verifier good, body good");
    }
    assertThat(contexts.wrong().count()).isZero();
    signedCall(9, data(40, GssService.NONE), BODY);
    signedCall(9, data(41, GssService.NONE), BODY);
    reply(9, signed(39), AcceptStatus.SUCCESS, BODY);
    assertWrong(1, "not the MIC of its call's sequence number (number 41");
  }

  /** Fails if {@code OpenCall.after} keeps all attempts. */
  @Test
  @DisplayName("Of a call that is sent again and again, the last attempts are known")
  void mostAttempts() {
    make(HANDLE, WINDOW);
    for (int number = 1; number <= 20; number++) {
      signedCall(1, data(number, GssService.NONE), BODY);
    }
    assertThat(contexts.openCalls().remove(connection, true, 1).earlier())
        .extracting(call -> call.credential().sequence()).hasSize(15).startsWith(19).endsWith(5);
  }

  /** Fails if {@code KnownContexts.find} tests the newest context of a handle alone. */
  @Test
  @DisplayName("Two servers with the same handle, each with two addresses")
  void serversWithTwoAddresses() {
    make(HANDLE, WINDOW);
    ToyRealm first = realm;
    makeElsewhere();
    ToyRealm second = realm;
    connect(3, "10.0.0.4");
    realm = first;
    assertThat(signedCall(5, data(1, GssService.NONE), BODY).get(0).text())
        .contains("context 1 ").contains("head and number good");
    connect(4, "10.0.0.5");
    realm = second;
    assertThat(signedCall(6, data(1, GssService.NONE), BODY).get(0).text())
        .contains("context 2 ").contains("head and number good");
    assertThat(contexts.isComplete()).isTrue();
  }

  /** Fails if {@code KnownContexts.put} leaves the context that another one of its name has replaced. */
  @Test
  @DisplayName("A context that was made again is not found at other addresses by its old keys")
  void replaced() {
    make(HANDLE, WINDOW);
    ToyRealm old = realm;
    realm = new ToyRealm(18, true, 7);
    make(HANDLE, WINDOW);
    connect(2, "10.0.0.3");
    realm = old;
    assertThat(signedCall(5, data(1, GssService.NONE), BODY).get(0).text()).contains("NOT OPENED");
  }

  /** Fails if {@code ProtectedMessages.mayBeOf} takes a call that proves nothing for one of a context. */
  @Test
  @DisplayName("A call that is bound to a channel, at another server of the same handle, hides none of its good calls")
  void channelElsewhere() {
    make(HANDLE, WINDOW);
    final ToyRealm first = realm;
    makeElsewhere();
    connect(3, "10.0.0.4");
    GssCredential bind = new GssCredential(2, GssProcedure.BIND_CHANNEL, 1, GssService.INTEGRITY, HANDLE);
    assertThat(call(4, bind, OpaqueAuth.NONE, BODY).get(0).text())
        .contains("NOT OPENED: its INIT is not in the capture, or was sent to another address");
    realm = first;
    assertThat(signedCall(5, data(1, GssService.NONE), BODY).get(0).text())
        .contains("context 1 ").contains("head and number good");
    assertThat(contexts.wrong().count()).isZero();
  }

  /** Fails if {@code GssConversation.call} forgets calls without protection. */
  @Test
  @DisplayName("A protected reply to a call without protection is wrong")
  void protectedReplyToPlainCall() {
    XdrWriter writer = new XdrWriter();
    new CallHeader(7, 5, 1, 0, OpaqueAuth.NONE).encode(writer);
    give(true, writer.toByteArray(), 0);
    reply(7, new OpaqueAuth(AuthFlavor.GSS, new byte[28]), AcceptStatus.SUCCESS, BODY);
    assertWrong(1, "it has a verifier of RPCSEC_GSS, and its call has another credential");
    assertThat(reply(7, signed(1), AcceptStatus.SUCCESS, BODY).get(0).text()).contains("is not in the capture");
  }

  /** Fails if {@code KnownContexts.find} takes the context that it knows at an address for the newest one there. */
  @Test
  @DisplayName("A server with two addresses starts anew, and gives the same handle to another context")
  void startedAnew() {
    make(HANDLE, WINDOW);
    connect(2, "10.0.0.3");
    assertThat(signedCall(5, data(1, GssService.NONE), BODY).get(0).text()).contains("context 1 ");
    connect(3, "10.0.0.2");
    final ToyRealm old = realm;
    realm = new ToyRealm(18, true, 7);
    make(HANDLE, WINDOW);
    connect(4, "10.0.0.3");
    assertThat(signedCall(5, data(1, GssService.NONE), BODY).get(0).text())
        .contains("context 2 ").contains("head and number good");
    realm = old;
    assertThat(signedCall(6, data(2, GssService.NONE), BODY).get(0).text()).contains("WRONG");
  }
}
