// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.ProtectedBody;
import dev.rpcrdma.kerberos.token.KeytabException;
import dev.rpcrdma.kerberos.token.ToyRealm;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A client and a server whose messages are made by hand, with keys of a toy realm. */
abstract class GssConversationBed {

  static final byte[] HANDLE = {1, 2, 3};
  static final byte[] BODY = {0, 0, 0, 7, 1, 2, 3, 4};
  static final int WINDOW = 8;

  ToyRealm realm = new ToyRealm(18, true);
  SecurityContexts contexts;
  GssConversation conversation;
  Conversation connection = connection(1, "10.0.0.2");
  long frame;
  boolean reverse;

  static Conversation connection(int number, String server) {
    return new Conversation(number, new InetSocketAddress("10.0.0.1", 1000), new InetSocketAddress(server, 2049));
  }

  @BeforeEach
  void begin() throws KeytabException {
    contexts = new SecurityContexts(realm.keytab());
    conversation = contexts.conversation();
  }

  List<Remark> give(boolean fromClient, byte[] bytes, long apart) {
    frame++;
    return conversation.take(new RpcMessage(connection, frame, frame, fromClient != reverse, ByteBuffer.wrap(bytes),
        apart));
  }

  List<Remark> call(int xid, GssCredential credential, OpaqueAuth verifier, byte[] body) {
    XdrWriter writer = new XdrWriter();
    new CallHeader(xid, 2, 5, 1, 0, credential.encode(), verifier).encode(writer);
    return give(true, writer.fixedOpaque(body).toByteArray(), 0);
  }

  List<Remark> reply(int xid, OpaqueAuth verifier, AcceptStatus status, byte[] body) {
    XdrWriter writer = new XdrWriter();
    new ReplyHeader.Accepted(xid, verifier, status, 0, 0).encode(writer);
    return give(false, writer.fixedOpaque(body).toByteArray(), 0);
  }

  void make(byte[] handle, int window) {
    call(1, new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]), OpaqueAuth.NONE,
        new XdrWriter().opaque(realm.request()).toByteArray());
    XdrWriter result = new XdrWriter();
    new GssInitResult(handle, GssInitResult.COMPLETE, 0, window, realm.answer()).encode(result);
    reply(1, signed(window), AcceptStatus.SUCCESS, result.toByteArray());
  }

  OpaqueAuth signed(int number) {
    return new OpaqueAuth(AuthFlavor.GSS, realm.end(true).sign(ByteBuffer.allocate(4).putInt(0, number)));
  }

  static GssCredential data(int sequence, GssService service) {
    return new GssCredential(GssProcedure.DATA, sequence, service, HANDLE);
  }

  /** A call as its client signs it. */
  List<Remark> signedCall(int xid, GssCredential credential, byte[] body) {
    return call(xid, credential, signature(xid, credential), body);
  }

  /** The client's signature of a call's head. */
  OpaqueAuth signature(int xid, GssCredential credential) {
    XdrWriter head = new XdrWriter();
    new CallHeader(xid, 2, 5, 1, 0, credential.encode(), OpaqueAuth.NONE).encode(head);
    byte[] bytes = head.toByteArray();
    return new OpaqueAuth(AuthFlavor.GSS, realm.end(false)
        .sign(ByteBuffer.wrap(bytes, 0, bytes.length - OpaqueAuth.NONE.encodedLength())));
  }

  byte[] protect(boolean fromServer, GssCredential credential) {
    return ProtectedBody.protect(credential.service(), realm.end(fromServer), credential.sequence(),
        ByteBuffer.wrap(BODY));
  }

  void assertWrong(int count, String text) {
    assertThat(contexts.wrong().count()).isEqualTo(count);
    assertThat(contexts.wrong().text()).contains("stream 1, frame " + frame + ": ").contains(text);
  }
}
