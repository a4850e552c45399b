// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RPCSEC_GSS on the wire: what Linux 6.1 has sent when it mounted with sec=krb5i, and what nobody may send. */
class GssWireTest {

  private static final byte[] HANDLE = {1, 0, 0, 0};
  private static final int SEQUENCE = 77;

  private static byte[] recorded(String name) throws Exception {
    try (InputStream in = GssWireTest.class.getResourceAsStream("/gss/" + name + ".hex")) {
      return HexFormat.of().parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
    }
  }

  private static GssCredential credential(String name) throws Exception {
    CallHeader head = CallHeader.decode(new XdrReader(ByteBuffer.wrap(recorded(name))));
    GssCredential read = GssCredential.from(head.credential());
    assertThat(read.encode()).as("as Linux wrote it").isEqualTo(head.credential());
    return read;
  }

  @Test
  @DisplayName("Credentials of Linux are read, and written alike")
  void credentials() throws Exception {
    assertThat(credential("init-call"))
        .isEqualTo(new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]));
    assertThat(credential("data-call"))
        .isEqualTo(new GssCredential(GssProcedure.DATA, 1, GssService.INTEGRITY, HANDLE));
    assertThat(credential("destroy-call"))
        .isEqualTo(new GssCredential(GssProcedure.DESTROY, 25, GssService.INTEGRITY, HANDLE));
    assertThat(GssProcedure.INIT.isCreation()).isTrue();
    assertThat(GssProcedure.DATA.isCreation()).isFalse();
  }

  @Test
  @DisplayName("The answer of Linux to a token is read, and written alike")
  void initResult() throws Exception {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(recorded("init-reply")));
    ReplyHeader.Accepted head = (ReplyHeader.Accepted) ReplyHeader.decode(reader);
    assertThat(head.status()).isEqualTo(AcceptStatus.SUCCESS);
    assertThat(head.verifier().flavor()).isEqualTo(AuthFlavor.GSS);
    byte[] rest = new byte[reader.remaining()];
    reader.rest().duplicate().get(rest);
    GssInitResult result = GssInitResult.decode(new XdrReader(ByteBuffer.wrap(rest)));
    assertThat(result.handle()).isEqualTo(HANDLE);
    assertThat(result.isGood()).isTrue();
    assertThat(result.window()).isEqualTo(128);
    assertThat(result.token()).hasSize(156);
    XdrWriter writer = new XdrWriter();
    result.encode(writer);
    assertThat(writer.toByteArray()).isEqualTo(rest);
    for (int length = 0; length < rest.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(rest, length));
      assertThatThrownBy(() -> GssInitResult.decode(new XdrReader(cut))).isInstanceOf(XdrException.class);
    }
  }

  /** Fails if the sequence number is left out of what is signed. */
  @Test
  @DisplayName("Arguments that Linux has signed are found, behind the number of their call")
  void recordedBody() throws Exception {
    ByteBuffer message = ByteBuffer.wrap(recorded("data-call"));
    XdrReader reader = new XdrReader(message);
    CallHeader head = CallHeader.decode(reader);
    byte[][] signed = new byte[1][];
    GssContext believing = new Believing(signed);
    ByteBuffer body = ProtectedBody.open(GssService.INTEGRITY, believing, 1, reader.rest());
    assertThat(HexFormat.of().formatHex(signed[0])).isEqualTo("00000001000000080100010000000000");
    assertThat(body.remaining()).isEqualTo(12);
    assertThat(head.verifier().body()).hasSize(28);
  }

  /** Takes each proof, and tells what it is of. */
  private record Believing(byte[][] signed) implements GssContext {

    @Override
    public int proofLength() {
      return 28;
    }

    @Override
    public int wrapOverhead() {
      return 60;
    }

    @Override
    public byte[] sign(ByteBuffer message) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean verifies(ByteBuffer message, byte[] proof) {
      signed[0] = new byte[message.remaining()];
      message.duplicate().get(signed[0]);
      return proof.length == 28;
    }

    @Override
    public byte[] wrap(ByteBuffer message) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<byte[]> unwrap(ByteBuffer wrapped) {
      throw new UnsupportedOperationException();
    }
  }

  /** Fails if {@code GssCredential.from} takes what stands behind the handle. */
  @Test
  @DisplayName("A credential that is cut short, too long, or of another version is no credential")
  void badCredentials() {
    byte[] good = new GssCredential(GssProcedure.DATA, 5, GssService.PRIVACY, HANDLE).encode().body();
    for (int length = 0; length < good.length; length++) {
      assertBad(Arrays.copyOf(good, length));
    }
    assertBad(Arrays.copyOf(good, good.length + 4));
    for (int[] change : new int[][] {{3, 0}, {3, 3}, {7, 4}, {7, 255}, {15, 0}, {15, 4}, {15, 5}, {16, 1}}) {
      byte[] bad = good.clone();
      bad[change[0]] = (byte) change[1];
      assertBad(bad);
    }
    assertThatThrownBy(() -> new GssCredential(GssProcedure.DATA, 5, GssService.NONE, new byte[381]))
        .isInstanceOf(XdrException.class);
    assertThat(new GssCredential(GssProcedure.DATA, 5, GssService.NONE, new byte[380]).encode().encodedLength())
        .isEqualTo(408);
  }

  private static void assertBad(byte[] body) {
    assertThatThrownBy(() -> GssCredential.from(new OpaqueAuth(AuthFlavor.GSS, body))).isInstanceOf(XdrException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff})
  @DisplayName("Numbers from 2^31 on are no call's")
  void exhausted(int sequence) {
    assertThat(new GssCredential(GssProcedure.DATA, sequence, GssService.NONE, HANDLE).isExhausted())
        .isEqualTo(sequence < 0);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("What is protected is opened by who has the key, for the call that it is of")
  void bodies(GssService service) {
    GssContext context = new ToyContext("the key");
    for (int length : new int[] {0, 4, 100, 70_000}) {
      byte[] body = new byte[length];
      Arrays.fill(body, (byte) 0x5a);
      byte[] message = ProtectedBody.protect(service, context, SEQUENCE, ByteBuffer.wrap(body));
      assertThat(ProtectedBody.open(service, context, SEQUENCE, ByteBuffer.wrap(message)))
          .isEqualTo(ByteBuffer.wrap(body));
    }
  }

  /** Fails if {@code ProtectedBody.open} does not compare numbers, or does not ask the mechanism. */
  @ParameterizedTest
  @EnumSource(names = {"INTEGRITY", "PRIVACY"})
  @DisplayName("What is changed, cut short, of another call, or of another key, is not opened")
  void badBodies(GssService service) {
    GssContext context = new ToyContext("the key");
    byte[] message = ProtectedBody.protect(service, context, SEQUENCE, ByteBuffer.wrap(new byte[12]));
    assertNotOpened(service, context, SEQUENCE + 1, message);
    assertNotOpened(service, new ToyContext("another key"), SEQUENCE, message);
    for (int i = 0; i < message.length; i++) {
      byte[] changed = message.clone();
      changed[i] ^= 1;
      assertNotOpened(service, context, SEQUENCE, changed);
      assertNotOpened(service, context, SEQUENCE, Arrays.copyOf(message, i));
    }
    assertNotOpened(service, context, SEQUENCE, Arrays.copyOf(message, message.length + 4));
  }

  private static void assertNotOpened(GssService service, GssContext context, int sequence, byte[] message) {
    assertThatThrownBy(() -> ProtectedBody.open(service, context, sequence, ByteBuffer.wrap(message)))
        .isInstanceOf(XdrException.class);
  }
}
