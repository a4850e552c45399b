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
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contexts, calls and replies that Linux has not sent while it was recorded. */
@DisplayName("RPCSEC_GSS of a conversation")
final class GssConversationTest extends GssConversationBed {

  static int[] types() {
    return ToyRealm.types();
  }

  /** Fails if a proof of some encryption type is taken for another one's, or the two ends of a connection differ. */
  @ParameterizedTest
  @MethodSource("types")
  @DisplayName("R-331 R-332: each encryption type and service, with a key of the server and without, both ways")
  void good(int type) throws KeytabException {
    for (boolean acceptorsKey : new boolean[] {true, false}) {
      realm = new ToyRealm(type, acceptorsKey);
      reverse = acceptorsKey;
      begin();
      make(HANDLE, WINDOW);
      for (GssService service : List.of(GssService.NONE, GssService.INTEGRITY, GssService.PRIVACY)) {
        GssCredential credential = data(service.value(), service);
        assertThat(signedCall(9, credential, protect(false, credential)).get(0).text())
            .contains("head and number good");
        assertThat(reply(9, signed(service.value()), AcceptStatus.SUCCESS, protect(true, credential)).get(0).text())
            .contains("verifier good").contains("8 bytes").contains("context 1 (handle 010203) of alice@R");
      }
      assertThat(contexts.summary()).isEqualTo("RPCSEC_GSS: 1 contexts opened, 0 not; verified "
          + "3 calls (1 krb5, 1 krb5i, 1 krb5p) and 3 replies (1 krb5, 1 krb5i, 1 krb5p), opened 4 bodies (2 krb5i, 2 "
          + "krb5p); 0 refused, 0 not judged, 0 wrong");
      assertThat(contexts.isComplete()).isTrue();
    }
  }

  /** Fails if the window is not that of the server's answer, or the largest number is taken. */
  @Test
  @DisplayName("Sequence numbers: below the window, seen before, too large, and in any order")
  void numbers() {
    make(HANDLE, WINDOW);
    for (int number : new int[] {3, 1, 2, 10}) {
      signedCall(number, data(number, GssService.NONE), BODY);
      assertThat(contexts.wrong().count()).isZero();
    }
    signedCall(20, data(2, GssService.NONE), BODY);
    assertWrong(1, "below the window of 8");
    signedCall(21, data(10, GssService.NONE), BODY);
    assertWrong(2, "there before");
    signedCall(22, data(GssCredential.SEQUENCE_LIMIT, GssService.NONE), BODY);
    assertWrong(3, "no call may have");
    signedCall(23, data(4, GssService.NONE), BODY);
    assertThat(contexts.wrong().count()).isEqualTo(3);
  }

  /** Fails if a body may be left out, be of another call, or be sent back to who has sent it. */
  @Test
  @DisplayName("R-332: bodies that are missing, of another call, of the other end, or apart")
  void bodies() {
    make(HANDLE, WINDOW);
    GssCredential first = data(1, GssService.PRIVACY);
    GssCredential second = data(2, GssService.PRIVACY);
    signedCall(1, first, protect(false, second));
    assertWrong(1, "is of call 2, not of 1");
    signedCall(2, second, new byte[0]);
    assertWrong(2, "its body: ");
    signedCall(3, data(3, GssService.INTEGRITY), protect(true, data(3, GssService.INTEGRITY)));
    assertWrong(3, "has not signed this body");
    reply(3, signed(3), AcceptStatus.SUCCESS, protect(false, data(3, GssService.INTEGRITY)));
    assertWrong(4, "has not signed this body");
    give(true, new byte[] {0, 0, 0, 9, 0, 0, 0, 0}, 0);
    assertWrong(5, "malformed");
    XdrWriter writer = new XdrWriter();
    new CallHeader(4, 5, 1, 0, OpaqueAuth.NONE).encode(writer);
    assertThat(give(true, writer.toByteArray(), 100)).isEmpty();
  }

  /** Fails if what is protected as a whole may be in chunks. */
  @Test
  @DisplayName("R-332: a message with integrity whose data has left it")
  void apart() {
    make(HANDLE, WINDOW);
    GssCredential credential = data(1, GssService.INTEGRITY);
    XdrWriter head = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, credential.encode(), OpaqueAuth.NONE).encode(head);
    byte[] bytes = head.toByteArray();
    byte[] mic = realm.end(false).sign(ByteBuffer.wrap(bytes, 0, bytes.length - 8));
    XdrWriter whole = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, credential.encode(), new OpaqueAuth(AuthFlavor.GSS, mic)).encode(whole);
    give(true, whole.fixedOpaque(protect(false, credential)).toByteArray(), 100);
    assertWrong(1, "R-332");
  }

  /** Fails if a reply without a proof is taken, or one whose status is no success may have anything. */
  @Test
  @DisplayName("Replies without a proof, with results of nothing, refused, and to calls from before")
  void replies() {
    make(HANDLE, WINDOW);
    for (int number = 1; number <= 4; number++) {
      signedCall(number, data(number, GssService.NONE), BODY);
    }
    reply(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, BODY);
    assertWrong(1, "not the MIC of its call's sequence number");
    reply(2, signed(2), AcceptStatus.SYSTEM_ERR, BODY);
    assertWrong(2, "left over");
    reply(3, signed(3), AcceptStatus.SYSTEM_ERR, new byte[0]);
    XdrWriter refused = new XdrWriter();
    new ReplyHeader.AuthError(4, AuthStatus.RPCSEC_GSS_CTXPROBLEM).encode(refused);
    give(false, refused.toByteArray(), 0);
    assertThat(contexts.isComplete()).isTrue();
    assertThat(reply(77, signed(1), AcceptStatus.SUCCESS, BODY).get(0).text())
        .contains("its call is not in the capture");
    assertThat(contexts.isComplete()).isFalse();
    assertThat(contexts.summary()).contains("1 refused, 1 not judged, 2 wrong");
  }

  /** Fails if a verifier alone makes nobody suspicious. */
  @Test
  @DisplayName("A call whose credential was made another one's")
  void otherCredential() {
    XdrWriter writer = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, OpaqueAuth.NONE, signed(1)).encode(writer);
    give(true, writer.toByteArray(), 0);
    assertWrong(1, "another credential");
  }

  /** Fails if {@code GssConversation.call} passes over a call whose credential {@code CallHeader} does not read. */
  @Test
  @DisplayName("A protected call of another RPC version")
  void otherVersion() {
    make(HANDLE, WINDOW);
    GssCredential credential = data(1, GssService.NONE);
    XdrWriter writer = new XdrWriter();
    new CallHeader(1, 3, 5, 1, 0, credential.encode(), signature(1, credential)).encode(writer);
    give(true, writer.fixedOpaque(BODY).toByteArray(), 0);
    assertWrong(1, "it is of RPC version 3");
  }

  /** Fails if the window's proof is not asked for, or a window decides over memory. */
  @Test
  @DisplayName("Windows of zero, of all numbers, and one that is not the server's")
  void windows() throws KeytabException {
    make(HANDLE, 0);
    assertWrong(1, "window of zero");
    begin();
    make(HANDLE, -1);
    assertThat(contexts.wrong().count()).isZero();
    signedCall(5, data(70_000, GssService.NONE), BODY);
    signedCall(6, data(70_000, GssService.NONE), BODY);
    assertWrong(1, "there before");
    begin();
    call(1, new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]), OpaqueAuth.NONE,
        new XdrWriter().opaque(realm.request()).toByteArray());
    XdrWriter result = new XdrWriter();
    new GssInitResult(HANDLE, GssInitResult.COMPLETE, 0, 9, realm.answer()).encode(result);
    reply(1, signed(8), AcceptStatus.SUCCESS, result.toByteArray());
    assertWrong(1, "not the MIC of the window");
  }

  /** Fails if the servers' handles are taken to be one. */
  @Test
  @DisplayName("R-336: two servers with the same handle, and a server with two addresses")
  void handles() throws KeytabException {
    make(HANDLE, WINDOW);
    GssConversation first = conversation;
    Conversation firstConnection = connection;
    connection = connection(2, "10.0.0.3");
    conversation = contexts.conversation();
    make(HANDLE, WINDOW);
    signedCall(5, data(1, GssService.NONE), BODY);
    conversation = first;
    connection = firstConnection;
    assertThat(signedCall(6, data(1, GssService.NONE), BODY).get(0).text()).contains("context 1 ");
    connection = connection(3, "10.0.0.4");
    conversation = contexts.conversation();
    assertThat(signedCall(7, data(2, GssService.NONE), BODY).get(0).text()).contains("context 2 ");
    assertThat(contexts.wrong().count()).isZero();
  }

  /** Fails if {@code KnownContexts.find} takes any context of the handle, so that a good call is called wrong. */
  @Test
  @DisplayName("A handle that another server also gave is not taken for that server's context")
  void handleOfAnotherServer() throws KeytabException {
    make(HANDLE, WINDOW);
    connection = connection(2, "10.0.0.3");
    conversation = contexts.conversation();
    assertThat(call(5, data(1, GssService.NONE), signed(1), BODY).get(0).text())
        .contains("NOT OPENED: its INIT is not in the capture");
    assertThat(contexts.wrong().count()).isZero();
    assertThat(contexts.isComplete()).isFalse();
    connection = connection(3, "10.0.0.4");
    conversation = contexts.conversation();
    make(new byte[] {9}, WINDOW);
    connection = connection(4, "10.0.0.5");
    conversation = contexts.conversation();
    GssCredential other = new GssCredential(GssProcedure.DATA, 1, GssService.NONE, new byte[] {9});
    signedCall(6, other, BODY);
    call(7, other, signed(1), BODY);
    assertThat(contexts.wrong().text()).as("known to be of that address").contains("not the MIC of its head");
  }

  /** Fails if {@code KnownContexts.put} or {@code find} prefers the context that a call with a wrong proof has made. */
  @Test
  @DisplayName("R-336: a wrong proof at another address of a server hides none of the other calls there, or elsewhere")
  void wrongProofAtAnotherAddress() {
    make(HANDLE, WINDOW);
    connection = connection(2, "10.0.0.3");
    conversation = contexts.conversation();
    call(5, data(1, GssService.NONE), signed(1), BODY);
    assertThat(signedCall(6, data(2, GssService.NONE), BODY).get(0).text())
        .contains("context 1 ").contains("head and number good");
    signedCall(7, data(2, GssService.NONE), BODY);
    assertThat(contexts.wrong().text()).contains("there before");
    connection = connection(3, "10.0.0.4");
    conversation = contexts.conversation();
    call(8, data(3, GssService.NONE), signed(3), BODY);
    assertThat(signedCall(9, data(4, GssService.NONE), BODY).get(0).text()).contains("head and number good");
  }

  /** Fails if a reply to a forgotten call is passed over, as others without a verifier are. */
  @Test
  @DisplayName("A reply whose call was forgotten is said, and is not known to be good")
  void forgottenCall() {
    make(HANDLE, WINDOW);
    GssCredential credential = data(1, GssService.NONE);
    signedCall(1, credential, BODY);
    for (int xid = 2; xid <= (1 << 16) + 1; xid++) {
      contexts.openCalls().add(connection, true, xid, OpenCall.unopened(credential, ""));
    }
    assertThat(reply(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, BODY).get(0))
        .isEqualTo(new Remark("NOT FOLLOWED: its call may be one that was forgotten, as too many had no reply", true));
    assertThat(contexts.unfollowed().text()).contains("stream 1, frame " + frame + ": its call");
    assertThat(contexts.isComplete()).isFalse();
  }

  /** Fails if a forgotten context is taken for one that was made before the capture. */
  @Test
  @DisplayName("A call whose context was forgotten is said, and is not known to be good")
  void forgottenContext() {
    make(HANDLE, WINDOW);
    call(2, new GssCredential(GssProcedure.DATA, 1, GssService.NONE, new byte[] {7}), signed(1), BODY);
    assertThat(contexts.unfollowed().count()).isZero();
    for (int i = 0; i < 4096; i++) {
      contexts.unopened(connection.acceptor().getAddress(), ByteBuffer.allocate(4).putInt(0, i).array(), "");
    }
    assertThat(call(3, data(1, GssService.NONE), signed(1), BODY)).extracting(Remark::text)
        .anyMatch(text -> text.contains("its INIT is not in the capture, or was forgotten"))
        .anyMatch(text -> text.startsWith("NOT FOLLOWED: its context"));
    assertThat(contexts.unfollowed().text()).contains("stream 1, frame " + frame + ": its context");
  }

  /** Fails if a context that takes more tokens is taken to stand, or one that failed is missed. */
  @Test
  @DisplayName("Contexts that are not made: refused, of more tokens, of another mechanism, ended")
  void notMade() throws KeytabException {
    GssCredential init = new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]);
    byte[] token = new XdrWriter().opaque(realm.request()).toByteArray();
    call(1, init, OpaqueAuth.NONE, token);
    XdrWriter result = new XdrWriter();
    new GssInitResult(new byte[0], 13 << 16, 0, 0, new byte[0]).encode(result);
    assertThat(reply(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, result.toByteArray()).get(0).text())
        .contains("no context, major d0000");
    call(2, init, OpaqueAuth.NONE, token);
    XdrWriter more = new XdrWriter();
    new GssInitResult(HANDLE, GssInitResult.CONTINUE_NEEDED, 0, 8, new byte[0]).encode(more);
    reply(2, OpaqueAuth.NONE, AcceptStatus.SUCCESS, more.toByteArray());
    call(3, new GssCredential(GssProcedure.CONTINUE_INIT, 0, GssService.NONE, HANDLE), OpaqueAuth.NONE, token);
    XdrWriter made = new XdrWriter();
    new GssInitResult(HANDLE, GssInitResult.COMPLETE, 0, 8, new byte[0]).encode(made);
    assertThat(reply(3, signed(8), AcceptStatus.SUCCESS, made.toByteArray()).get(0).text())
        .contains("NOT OPENED: its mechanism takes more tokens");
    call(4, data(1, GssService.NONE), signed(1), BODY);
    assertThat(contexts.summary()).contains("0 contexts opened, 1 not").contains("1 refused, 1 not judged, 0 wrong");
    call(5, init, OpaqueAuth.NONE, new XdrWriter().opaque(new byte[] {0x60, 5, 1}).toByteArray());
    assertWrong(1, "its token: ");
    begin();
    make(HANDLE, WINDOW);
    signedCall(6, new GssCredential(GssProcedure.DESTROY, 1, GssService.INTEGRITY, HANDLE), new byte[0]);
    reply(6, signed(1), AcceptStatus.SUCCESS, new byte[0]);
    assertThat(contexts.wrong().count()).isZero();
  }

  /** Fails if bytes make an exception. */
  @Test
  @DisplayName("Any bytes as messages")
  void anyBytes() {
    make(HANDLE, WINDOW);
    XdrWriter writer = new XdrWriter();
    new CallHeader(1, 2, 5, 1, 0, data(1, GssService.PRIVACY).encode(), signed(1)).encode(writer);
    byte[] call = writer.opaque(new byte[40]).toByteArray();
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = call.clone();
      for (int i = random.nextInt(6); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 8 : 256);
      }
      assertThat(give(random.nextBoolean(), Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)), 0))
          .as("seed %d", seed).hasSizeLessThan(3);
    }
  }
}
