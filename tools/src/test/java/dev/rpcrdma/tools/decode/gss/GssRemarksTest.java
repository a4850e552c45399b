// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.token.KeytabException;
import dev.rpcrdma.kerberos.token.ToyRealm;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each remark as it is printed, and what counts with it. */
@DisplayName("Remarks about RPCSEC_GSS")
final class GssRemarksTest extends GssConversationBed {

  private static final GssCredential INIT = new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]);

  private static void assertSaid(List<Remark> remarks, String... texts) {
    assertThat(remarks).extracting(Remark::text).containsExactly(texts);
    assertThat(remarks).allSatisfy(remark -> assertThat(remark.important())
        .isEqualTo(remark.text().startsWith("WRONG: ") || remark.text().contains("NOT OPENED")));
  }

  private byte[] token() {
    return new XdrWriter().opaque(realm.request()).toByteArray();
  }

  private List<Remark> answer(int major, int window, byte[] token, int signed, byte... more) {
    XdrWriter result = new XdrWriter();
    new GssInitResult(HANDLE, major, 0, window, token).encode(result);
    return reply(1, signed(signed), AcceptStatus.SUCCESS, result.fixedOpaque(more).toByteArray());
  }

  private void assertCounts(String opened, String judged) {
    assertThat(contexts.summary()).contains("RPCSEC_GSS: " + opened + "; verified ").endsWith("; " + judged);
  }

  @Test
  @DisplayName("A context: who makes it, and its keys; the window that is not signed is wrong, and the context stands")
  void made() throws KeytabException {
    assertSaid(call(1, INIT, OpaqueAuth.NONE, token()), "RPCSEC_GSS INIT: alice@R calls echo@R");
    assertSaid(answer(GssInitResult.COMPLETE, 8, realm.answer(), 8), "RPCSEC_GSS: context 1 (handle 010203) of "
        + "alice@R, window 8, client: a key of encryption type 18, server: a key of encryption type 18");
    begin();
    call(1, INIT, OpaqueAuth.NONE, token());
    assertThat(answer(GssInitResult.COMPLETE, -1, realm.answer(), 8)).hasSize(2).extracting(Remark::text)
        .last().isEqualTo("WRONG: its verifier is not the MIC of the window");
    assertCounts("1 contexts opened, 0 not", "0 refused, 0 not judged, 1 wrong");
  }

  @Test
  @DisplayName("A context that is refused, or wants another token, is none")
  void refused() {
    call(1, INIT, OpaqueAuth.NONE, token());
    assertSaid(reply(1, OpaqueAuth.NONE, AcceptStatus.SYSTEM_ERR, new byte[0]),
        "RPCSEC_GSS: refused, of which there is no proof");
    call(1, INIT, OpaqueAuth.NONE, token());
    XdrWriter refusal = new XdrWriter();
    new ReplyHeader.AuthError(1, AuthStatus.RPCSEC_GSS_CREDPROBLEM).encode(refusal);
    assertSaid(give(false, refusal.toByteArray(), 0), "RPCSEC_GSS: refused, of which there is no proof");
    call(1, INIT, OpaqueAuth.NONE, token());
    assertSaid(answer(GssInitResult.CONTINUE_NEEDED, 8, new byte[0], 8), "RPCSEC_GSS: another token is wanted");
    GssCredential more = new GssCredential(GssProcedure.CONTINUE_INIT, 0, GssService.NONE, HANDLE);
    assertSaid(call(1, more, OpaqueAuth.NONE, new XdrWriter().opaque(new byte[7]).toByteArray()),
        "RPCSEC_GSS CONTINUE_INIT: 7 bytes");
    assertCounts("0 contexts opened, 0 not", "2 refused, 0 not judged, 0 wrong");
  }

  @Test
  @DisplayName("A context without a key, and the calls of it, are not judged; the next one has the next number")
  void notOpened() throws KeytabException {
    contexts = new SecurityContexts(new ToyRealm(17, true).keytab());
    conversation = contexts.conversation();
    List<Remark> said = call(1, INIT, OpaqueAuth.NONE, token());
    assertThat(said).singleElement().satisfies(remark -> assertThat(remark.text())
        .startsWith("RPCSEC_GSS INIT: not opened: no key in the keytab opens the ticket for echo@R ("));
    String reason = said.get(0).text().substring("RPCSEC_GSS INIT: not opened: ".length());
    assertSaid(answer(GssInitResult.COMPLETE, 8, realm.answer(), 8),
        "RPCSEC_GSS: context 1 (handle 010203) is NOT OPENED: " + reason);
    assertSaid(call(2, data(1, GssService.NONE), signed(1), BODY),
        "RPCSEC_GSS: not judged, by context 1 (handle 010203)");
    assertSaid(reply(2, signed(1), AcceptStatus.SUCCESS, BODY),
        "RPCSEC_GSS: not judged, by context 1 (handle 010203)");
    assertCounts("0 contexts opened, 1 not", "0 refused, 2 not judged, 0 wrong");
    assertSaid(call(3, new GssCredential(GssProcedure.DATA, 1, GssService.NONE, new byte[] {9}), signed(1), BODY),
        "RPCSEC_GSS: context 2 (handle 09) is NOT OPENED: its INIT is not in the capture");
    assertSaid(reply(3, signed(1), AcceptStatus.SUCCESS, BODY), "RPCSEC_GSS: not judged, by context 2 (handle 09)");
    assertCounts("0 contexts opened, 2 not", "0 refused, 4 not judged, 0 wrong");
  }

  @Test
  @DisplayName("Tokens that are wrong, a window of zero, and bytes behind what makes a context")
  void wrong() {
    byte[] broken = {0x60, 5, 1};
    assertThat(call(1, INIT, OpaqueAuth.NONE, new XdrWriter().opaque(broken).toByteArray())).singleElement()
        .satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: its token: "));
    assertSaid(answer(GssInitResult.COMPLETE, 8, realm.answer(), 8),
        "RPCSEC_GSS: context 1 (handle 010203) is NOT OPENED: its INIT is wrong");
    call(1, INIT, OpaqueAuth.NONE, token());
    assertThat(answer(GssInitResult.COMPLETE, 8, broken, 8)).singleElement()
        .satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: its token: "));
    call(1, INIT, OpaqueAuth.NONE, token());
    assertSaid(answer(GssInitResult.COMPLETE, 0, realm.answer(), 0), "WRONG: a window of zero");
    assertThat(call(1, INIT, OpaqueAuth.NONE, new XdrWriter().opaque(realm.request()).int32(7).toByteArray()))
        .singleElement().satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: it is malformed: "));
    call(1, INIT, OpaqueAuth.NONE, token());
    assertThat(answer(GssInitResult.COMPLETE, 8, realm.answer(), 8, new byte[4])).singleElement()
        .satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: it is malformed: "));
    assertCounts("0 contexts opened, 3 not", "0 refused, 0 not judged, 5 wrong");
  }

  @Test
  @DisplayName("Calls and replies: number, service, what was good and how long the body is, or what is wrong")
  void messages() {
    make(HANDLE, WINDOW);
    String context = ", context 1 (handle 010203) of alice@R, number ";
    XdrWriter head = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, OpaqueAuth.NONE, OpaqueAuth.NONE).encode(head);
    assertSaid(give(true, head.toByteArray(), 0));
    XdrWriter mixed = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, OpaqueAuth.NONE, signed(1)).encode(mixed);
    assertSaid(give(true, mixed.toByteArray(), 0), "WRONG: it has a verifier of RPCSEC_GSS, and another credential");
    assertSaid(signedCall(1, data(1, GssService.NONE), BODY), "RPCSEC_GSS krb5" + context
        + "1: head and number good, body of 8 bytes");
    assertSaid(call(2, data(2, GssService.NONE), signed(1), BODY),
        "WRONG: its verifier is not the MIC of its head (number 2, krb5)");
    assertSaid(signedCall(3, data(1, GssService.NONE), BODY), "WRONG: its sequence number was there before, or is "
        + "below the window of 8 (number 1, krb5)");
    assertSaid(signedCall(4, data(-1, GssService.NONE), BODY),
        "WRONG: no call may have its sequence number (number 4294967295, krb5)");
    GssCredential integrity = data(5, GssService.INTEGRITY);
    assertSaid(signedCall(5, integrity, protect(false, integrity)), "RPCSEC_GSS krb5i" + context
        + "5: head and number good, body good, 8 bytes");
    assertSaid(reply(5, signed(4), AcceptStatus.SUCCESS, protect(true, integrity)),
        "WRONG: its verifier is not the MIC of its call's sequence number (number 5, krb5i)");
    GssCredential destroy = new GssCredential(GssProcedure.DESTROY, 6, GssService.INTEGRITY, HANDLE);
    assertSaid(signedCall(6, destroy, new byte[0]), "RPCSEC_GSS krb5i" + context
        + "6, DESTROY: head and number good, body of 0 bytes");
  }

  /** Fails if {@code ProtectedMessages.reply} says the same of replies with results and without. */
  @Test
  @DisplayName("A reply of success has a protected body; one of another status has none, and it may be empty")
  void emptyBodies() {
    make(HANDLE, WINDOW);
    GssCredential credential = data(1, GssService.INTEGRITY);
    signedCall(1, credential, protect(false, credential));
    assertSaid(reply(1, signed(1), AcceptStatus.SYSTEM_ERR, new byte[0]), "RPCSEC_GSS krb5i, context 1 (handle 010203) "
        + "of alice@R, number 1: verifier good, body of 0 bytes");
    GssCredential second = data(2, GssService.INTEGRITY);
    signedCall(2, second, protect(false, second));
    assertThat(reply(2, signed(2), AcceptStatus.SUCCESS, new byte[0])).singleElement()
        .satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: its body: "));
  }

  @Test
  @DisplayName("The bytes of a body that is apart count; one that is protected as a whole may not be apart")
  void apart() {
    make(HANDLE, WINDOW);
    assertSaid(signed(1, data(1, GssService.NONE), BODY, 100), "RPCSEC_GSS krb5, context 1 (handle 010203) of alice@R, "
        + "number 1: head and number good, body of 108 bytes");
    GssCredential second = data(2, GssService.INTEGRITY);
    assertSaid(signed(2, second, protect(false, second), 100),
        "WRONG: what is protected as a whole has left the message by chunks (R-332) (number 2, krb5i)");
  }

  private List<Remark> signed(int xid, GssCredential credential, byte[] body, long apart) {
    XdrWriter whole = new XdrWriter();
    new CallHeader(xid, 2, 5, 1, 0, credential.encode(), signature(xid, credential)).encode(whole);
    return give(true, whole.fixedOpaque(body).toByteArray(), apart);
  }

  /** RFC 5403 §3.4: what a channel is bound to is not in a capture. */
  @Test
  @DisplayName("Calls that are bound to a channel, and their replies, are not judged")
  void channels() {
    make(HANDLE, WINDOW);
    GssCredential bind = new GssCredential(2, GssProcedure.BIND_CHANNEL, 1, GssService.INTEGRITY, HANDLE);
    String context = "RPCSEC_GSS krb5 bound to a channel, context 1 (handle 010203) of alice@R, number ";
    String end = ": not judged, what it is bound to is not here";
    assertSaid(call(1, bind, OpaqueAuth.NONE, BODY), context + "1, BIND_CHANNEL" + end);
    assertSaid(reply(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, BODY), context + "1, BIND_CHANNEL" + end);
    GssCredential bound = new GssCredential(2, GssProcedure.DATA, 2, GssService.CHANNEL, HANDLE);
    assertSaid(call(2, bound, OpaqueAuth.NONE, BODY), context + "2" + end);
    assertSaid(reply(2, new OpaqueAuth(AuthFlavor.GSS, new byte[4]), AcceptStatus.SUCCESS, BODY), context + "2" + end);
    assertCounts("1 contexts opened, 0 not", "0 refused, 4 not judged, 0 wrong");
  }

  @Test
  @DisplayName("A reply without a call is not judged if it has a proof, and is another one's if it has none")
  void withoutCall() {
    assertSaid(reply(1, signed(1), AcceptStatus.SUCCESS, BODY),
        "RPCSEC_GSS: not judged, as its call is not in the capture");
    assertSaid(reply(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, BODY));
    contexts.forgotten(5);
    assertCounts("0 contexts opened, 0 not", "0 refused, 6 not judged, 0 wrong");
    assertThat(give(true, new byte[4], 0)).singleElement()
        .satisfies(remark -> assertThat(remark.text()).startsWith("WRONG: it is malformed: "));
  }
}
