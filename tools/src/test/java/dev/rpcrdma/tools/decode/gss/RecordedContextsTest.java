// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssContext;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.GssVerifier;
import dev.rpcrdma.kerberos.gss.ProtectedBody;
import dev.rpcrdma.kerberos.token.ContextKeys;
import dev.rpcrdma.kerberos.token.ContextRequest;
import dev.rpcrdma.kerberos.token.KerberosException;
import dev.rpcrdma.kerberos.token.Keytab;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.tools.decode.message.CapturedMessages;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What Linux has sent with Kerberos, decoded by the classes of the protocol, and encoded by them to the same bytes. The
 * key of 6.12's server is of AES with SHA-2, all others are of AES with SHA-1.
 */
@DisplayName("Recorded contexts of RPCSEC_GSS")
final class RecordedContextsTest {

  private final Map<Integer, GssCredential> calls = new HashMap<>();
  private ContextRequest request;
  private ContextKeys keys;
  private int verifiedCalls;
  private int verifiedReplies;
  private int bodies;
  private long largest;

  /**
   * Fails if {@code GssCredential.encode}, {@code GssInitResult.encode}, {@code ProtectedBody.protect} or a header
   * writes anything in another place than Linux does; or if a body of chunks is put together in another order.
   */
  @ParameterizedTest
  @CsvSource({"nfs3-krb5, nfs-6.1, NONE, 27, 0, 0", "nfs3-krb5i, nfs-6.1, INTEGRITY, 25, 48, 100000",
      "nfs3-krb5p, nfs-6.12, PRIVACY, 24, 46, 100000"})
  @DisplayName("R-331 R-332 R-333 R-336: each message verifies, and its parts encode to what was sent")
  void golden(String capture, String keytab, GssService service, int messages, int opened, long most)
      throws IOException, KerberosException {
    Keytab keysOfServer = Keytab.read(CapturedMessages.file(keytab + ".keytab"));
    for (RpcMessage message : CapturedMessages.of(capture)) {
      XdrReader reader = new XdrReader(message.bytes());
      if (message.bytes().getInt(Integer.BYTES) == OncRpc.CALL) {
        call(message, reader, keysOfServer, service);
      } else {
        reply(message, reader);
      }
    }
    assertThat(verifiedCalls).isEqualTo(messages);
    assertThat(verifiedReplies).isEqualTo(messages);
    assertThat(bodies).isEqualTo(opened);
    assertThat(largest).isGreaterThanOrEqualTo(most);
    assertThat(calls).isEmpty();
  }

  private void call(RpcMessage message, XdrReader reader, Keytab keytab, GssService service)
      throws KerberosException {
    CallHeader head = CallHeader.decode(reader);
    XdrWriter again = new XdrWriter();
    head.encode(again);
    assertBegins(message, again);
    if (head.credential().flavor() != AuthFlavor.GSS) {
      return;
    }
    GssCredential credential = GssCredential.from(head.credential());
    assertThat(credential.encode()).isEqualTo(head.credential());
    calls.put(head.xid(), credential);
    if (credential.procedure() == GssProcedure.INIT) {
      request = ContextRequest.open(reader.opaque(GssInitResult.MAX_TOKEN), keytab);
      assertThat(request.client()).isEqualTo("nfs/nfs.lab.test@LAB.TEST");
      assertThat(request.service()).isEqualTo("nfs/nfs.lab.test@LAB.TEST");
      return;
    }
    assertThat(credential.service()).isEqualTo(service);
    int signed = CallHeader.FIXED_LENGTH + head.credential().encodedLength();
    assertThat(keys.fromClient().verifies(message.bytes().slice(0, signed), head.verifier().body())).isTrue();
    verifiedCalls++;
    body(credential, keys.fromClient(), reader.rest());
  }

  private void reply(RpcMessage message, XdrReader reader) throws KerberosException {
    ReplyHeader head = ReplyHeader.decode(reader);
    XdrWriter again = new XdrWriter();
    head.encode(again);
    GssCredential credential = calls.remove(head.xid());
    int number = credential == null ? 0 : credential.sequence();
    if (credential != null && credential.procedure() == GssProcedure.INIT) {
      GssInitResult result = GssInitResult.decode(reader);
      result.encode(again);
      assertThat(reader.remaining()).isZero();
      keys = request.answered(result.token());
      number = result.window();
    }
    assertBegins(message, again);
    if (credential != null) {
      assertThat(keys.fromServer().verifies(ByteBuffer.allocate(4).putInt(0, number), head.verifier().body())).isTrue();
    }
    if (credential != null && credential.procedure() != GssProcedure.INIT) {
      verifiedReplies++;
      body(credential, keys.fromServer(), reader.rest());
    }
  }

  private void body(GssCredential credential, GssVerifier tokens, ByteBuffer sent) {
    if (credential.service() == GssService.NONE || !sent.hasRemaining()) {
      return;
    }
    ByteBuffer body = ProtectedBody.open(credential.service(), tokens, credential.sequence(), sent);
    byte[] again = ProtectedBody.protect(credential.service(), new Again(credential.service(), sent),
        credential.sequence(), body);
    assertThat(ByteBuffer.wrap(again)).isEqualTo(sent);
    bodies++;
    largest = Math.max(largest, body.remaining());
  }

  private static void assertBegins(RpcMessage message, XdrWriter head) {
    byte[] encoded = head.toByteArray();
    byte[] sent = new byte[encoded.length];
    message.bytes().get(message.bytes().position(), sent);
    assertThat(encoded).isEqualTo(sent);
  }

  /** Signs and wraps what was sent as it was. */
  private record Again(GssService service, ByteBuffer sent) implements GssContext {

    private byte[] last() {
      XdrReader reader = new XdrReader(sent);
      byte[] first = reader.opaque(Integer.MAX_VALUE);
      return service == GssService.PRIVACY ? first : reader.opaque(Integer.MAX_VALUE);
    }

    @Override
    public byte[] sign(ByteBuffer message) {
      byte[] bytes = new byte[message.remaining()];
      message.duplicate().get(bytes);
      assertThat(bytes).isEqualTo(new XdrReader(sent).opaque(Integer.MAX_VALUE));
      return last();
    }

    @Override
    public byte[] wrap(ByteBuffer message) {
      return last();
    }

    @Override
    public boolean verifies(ByteBuffer message, byte[] proof) {
      return Arrays.equals(proof, last());
    }

    @Override
    public Optional<byte[]> unwrap(ByteBuffer wrapped) {
      return Optional.empty();
    }

    @Override
    public int proofLength() {
      return last().length;
    }

    @Override
    public int wrapOverhead() {
      return 0;
    }
  }
}
