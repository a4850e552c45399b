// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.kerberos.gss.GssContext;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.mechanism.Kerberos;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A blocking client of contexts over TCP, written down from RFC 2203 without the library's own client. Its calls may as well
 * be sent over RDMA, and may be wrong.
 */
final class ContextClient implements AutoCloseable {

  private static final int PROGRAM = EchoService.BINDING.program();
  private static final int VERSION = EchoService.BINDING.version();

  /** No two clients have the same, since they may share a connection over RDMA. */
  private static final AtomicInteger XIDS = new AtomicInteger(100);

  final Socket socket;
  private GssHandshake handshake;
  GssContext context;
  byte[] handle = {};
  /** Of the next call. */
  int sequence = 1;

  ContextClient(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
  }

  // Contexts

  void establish(KerberosRealm realm, String principal) throws IOException, GssFailure {
    send(init(realm, principal));
    established(receive());
  }

  /** The call that begins. */
  byte[] init(KerberosRealm realm, String principal) throws GssFailure {
    handshake = Kerberos.initiator(realm.options(principal).setService("echo"), () -> "127.0.0.1").get();
    GssCredential init = new GssCredential(GssProcedure.INIT, 0, GssService.NONE, handle);
    XdrWriter writer = new XdrWriter();
    new CallHeader(XIDS.getAndIncrement(), PROGRAM, VERSION, 0, init.encode()).encode(writer);
    writer.opaque(handshake.next(new byte[0]).token());
    return writer.toByteArray();
  }

  /** Goes by the reply to {@link #init}. */
  void established(XdrReader reader) throws GssFailure {
    ReplyHeader.Accepted accepted = (ReplyHeader.Accepted) ReplyHeader.decode(reader);
    GssInitResult result = GssInitResult.decode(reader);
    assertThat(result.major()).isEqualTo(GssInitResult.COMPLETE);
    context = handshake.next(result.token()).established().orElseThrow().context();
    handle = result.handle();
    assertThat(signed(accepted.verifier(), result.window())).as("RFC 2203 §5.2.3.1").isTrue();
  }

  /** Whether a verifier proves that the server has signed a number. */
  boolean signed(OpaqueAuth verifier, int number) {
    return verifier.flavor() == AuthFlavor.GSS && context.verifies(
        ByteBuffer.allocate(4).putInt(number).flip(), verifier.body());
  }

  // Calls

  /** The head of a call with the next number, as far as its caller signs it (RFC 2203 §5.3.1). */
  byte[] head(GssProcedure kind, GssService service, int program, int procedure) {
    XdrWriter head = new XdrWriter();
    head.int32(XIDS.getAndIncrement()).int32(0).int32(2).int32(program).int32(VERSION).int32(procedure);
    new GssCredential(kind, sequence++, service, handle).encode().encode(head);
    return head.toByteArray();
  }

  OpaqueAuth proof(byte[] head) {
    return new OpaqueAuth(AuthFlavor.GSS, context.sign(ByteBuffer.wrap(head)));
  }

  static byte[] call(byte[] head, OpaqueAuth verifier, byte[] body) {
    XdrWriter writer = new XdrWriter();
    writer.fixedOpaque(head);
    verifier.encode(writer);
    writer.fixedOpaque(body);
    return writer.toByteArray();
  }

  /** Arguments, protected with a number. */
  byte[] body(GssService service, int number, byte[] arguments) {
    byte[] numbered = ByteBuffer.allocate(4 + arguments.length).putInt(number).put(arguments).array();
    XdrWriter writer = new XdrWriter();
    switch (service) {
      case NONE -> writer.fixedOpaque(arguments);
      case INTEGRITY -> writer.opaque(numbered).opaque(context.sign(ByteBuffer.wrap(numbered)));
      case PRIVACY -> writer.opaque(context.wrap(ByteBuffer.wrap(numbered)));
    }
    return writer.toByteArray();
  }

  /** What a reply to a call with this number brings, behind its head. */
  byte[] opened(GssService service, int number, XdrReader reply) {
    if (service == GssService.NONE) {
      return bytes(reply.rest());
    }
    ByteBuffer numbered = reply.opaqueView(1024);
    if (service == GssService.INTEGRITY) {
      assertThat(context.verifies(numbered.duplicate(), reply.opaque(400))).isTrue();
    } else {
      numbered = ByteBuffer.wrap(context.unwrap(numbered).orElseThrow());
    }
    assertThat(reply.rest().hasRemaining()).isFalse();
    assertThat(numbered.getInt()).isEqualTo(number);
    return bytes(numbered);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  byte[] call(GssProcedure kind, GssService service, int program, int procedure, byte... arguments) {
    byte[] head = head(kind, service, program, procedure);
    return call(head, proof(head), body(service, sequence - 1, arguments));
  }

  /** A call of the null procedure. */
  byte[] ping() {
    return call(GssProcedure.DATA, GssService.NONE, PROGRAM, 0);
  }

  // Over TCP

  void send(byte[] message) throws IOException {
    socket.getOutputStream().write(RecordMark.framed(message));
  }

  XdrReader receive() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] bytes = new byte[in.readInt() & Integer.MAX_VALUE];
    in.readFully(bytes);
    return new XdrReader(ByteBuffer.wrap(bytes));
  }

  ReplyHeader reply() throws IOException {
    return ReplyHeader.decode(receive());
  }

  ReplyHeader exchange(byte[] message) throws IOException {
    send(message);
    return reply();
  }

  void assertAccepted(byte[] message, AcceptStatus status) throws IOException {
    assertAccepted(exchange(message), status);
  }

  /** A reply to the last call that was made. */
  void assertAccepted(ReplyHeader reply, AcceptStatus status) {
    assertThat(reply).isInstanceOfSatisfying(ReplyHeader.Accepted.class, accepted -> {
      assertThat(accepted.status()).isEqualTo(status);
      assertThat(signed(accepted.verifier(), sequence - 1)).isTrue();
    });
  }

  void assertRefused(byte[] message, AuthStatus status) throws IOException {
    assertRefused(exchange(message), status);
  }

  static void assertRefused(ReplyHeader reply, AuthStatus status) {
    assertThat(reply).isInstanceOfSatisfying(ReplyHeader.AuthError.class,
        refused -> assertThat(refused.status()).isEqualTo(status));
  }

  boolean isEnded() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
