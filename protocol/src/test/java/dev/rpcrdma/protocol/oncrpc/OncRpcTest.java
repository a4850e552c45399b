// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OncRpcTest {

  private static byte[] encoded(ReplyHeader header) {
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    return writer.toByteArray();
  }

  private static ReplyHeader decoded(byte[] bytes) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    ReplyHeader header = ReplyHeader.decode(reader);
    reader.end();
    return header;
  }

  @Test
  void aHeadThatIsWrittenWhereItGoesIsTheSame() {
    for (OpaqueAuth auth : List.of(OpaqueAuth.NONE, new OpaqueAuth(5, new byte[] {1, 2, 3}),
        new AuthSys(7, "host", 1000, 100, List.of()).toAuth())) {
      XdrWriter writer = new XdrWriter();
      new CallHeader(7, 8, 9, 10, auth).encode(writer);
      ByteBuffer target = ByteBuffer.allocate(CallHeader.length(auth));
      CallHeader.write(target, 7, 8, 9, 10, auth);
      assertThat(target.hasRemaining()).isFalse();
      assertThat(target.array()).isEqualTo(writer.toByteArray());
    }
  }

  @Test
  void aCallWithAuthSys() {
    OpaqueAuth auth = new AuthSys(7, "host", 1000, 100, List.of(4, 24)).toAuth();
    CallHeader header = new CallHeader(0x11223344, 100003, 3, 1, auth);
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    byte[] bytes = writer.toByteArray();
    assertThat(bytes).isEqualTo(Hex.bytes("11223344 00000000 00000002 000186a3 00000003 00000001"
        + "00000001 00000020 00000007 00000004 686f7374 000003e8 00000064 00000002 00000004 00000018"
        + "00000000 00000000"));
    assertThat(header.encodedLength()).isEqualTo(bytes.length);
    assertThat(CallHeader.decode(new XdrReader(ByteBuffer.wrap(bytes)))).isEqualTo(header);
    assertThat(AuthSys.from(auth).gids()).containsExactly(4, 24);
    for (int length = 0; length < bytes.length; length++) {
      XdrReader cut = new XdrReader(ByteBuffer.wrap(bytes, 0, length));
      assertThatThrownBy(() -> CallHeader.decode(cut)).isInstanceOf(XdrException.class);
    }
  }

  @Test
  void everyReplyThereAndBack() {
    List<ReplyHeader> all = new ArrayList<>();
    for (AcceptStatus status : AcceptStatus.values()) {
      all.add(status == AcceptStatus.PROG_MISMATCH
          ? new ReplyHeader.Accepted(5, OpaqueAuth.NONE, status, 2, 4)
          : new ReplyHeader.Accepted(5, status));
    }
    for (AuthStatus status : AuthStatus.values()) {
      all.add(new ReplyHeader.AuthError(6, status));
    }
    all.add(new ReplyHeader.RpcMismatch(7, 2, 2));
    for (ReplyHeader header : all) {
      byte[] bytes = encoded(header);
      assertThat(decoded(bytes)).isEqualTo(header);
      for (int length = 0; length < bytes.length; length++) {
        XdrReader cut = new XdrReader(ByteBuffer.wrap(bytes, 0, length));
        assertThatThrownBy(() -> ReplyHeader.decode(cut)).isInstanceOf(XdrException.class);
      }
    }
  }

  @Test
  void resultsFollowASuccessAndNothingElse() {
    ReplyHeader success = new ReplyHeader.Accepted(5, AcceptStatus.SUCCESS);
    XdrReader results = new XdrReader(ByteBuffer.wrap(encoded(success)));
    assertThat(ReplyHeader.decodeRejection(results, OpaqueAuth.NONE)).isEmpty();
    assertThat(results.remaining()).isZero();
    for (ReplyHeader header : List.of(new ReplyHeader.Accepted(5, AcceptStatus.GARBAGE_ARGS),
        new ReplyHeader.Accepted(5, OpaqueAuth.NONE, AcceptStatus.PROG_MISMATCH, 2, 4),
        new ReplyHeader.AuthError(5, AuthStatus.TOOWEAK), new ReplyHeader.RpcMismatch(5, 2, 2))) {
      XdrReader reader = new XdrReader(ByteBuffer.wrap(encoded(header)));
      assertThat(ReplyHeader.decodeRejection(reader, OpaqueAuth.NONE)).isEqualTo(Optional.of(header));
      reader.end();
    }
  }

  @Test
  void repliesInTheirBytes() {
    assertThat(encoded(new ReplyHeader.Accepted(1, AcceptStatus.SUCCESS)))
        .isEqualTo(Hex.bytes("00000001 00000001 00000000 00000000 00000000 00000000"))
        .hasSize(OncRpc.SUCCESS_HEADER_LENGTH);
    assertThat(encoded(new ReplyHeader.Accepted(1, OpaqueAuth.NONE, AcceptStatus.PROG_MISMATCH, 2,
        4))).isEqualTo(Hex.bytes(
            "00000001 00000001 00000000 00000000 00000000 00000002 00000002 00000004"));
    assertThat(encoded(new ReplyHeader.AuthError(1, AuthStatus.BADCRED)))
        .isEqualTo(Hex.bytes("00000001 00000001 00000001 00000001 00000001"));
    assertThat(encoded(new ReplyHeader.RpcMismatch(1, 2, 2)))
        .isEqualTo(Hex.bytes("00000001 00000001 00000001 00000000 00000002 00000002"));
  }

  @Test
  void valuesOutsideTheirDomain() {
    assertThatThrownBy(() -> decoded(Hex.bytes("00000001 00000000")))
        .hasMessageContaining("Not a reply");
    assertThatThrownBy(() -> decoded(Hex.bytes("00000001 00000001 00000002")))
        .hasMessageContaining("reply_stat");
    assertThatThrownBy(() -> decoded(Hex.bytes(
        "00000001 00000001 00000000 00000000 00000000 00000006"))).hasMessageContaining("accept");
    assertThatThrownBy(() -> decoded(Hex.bytes("00000001 00000001 00000001 00000002")))
        .hasMessageContaining("reject_stat");
    // 14 is the last auth_stat.
    assertThat(decoded(Hex.bytes("00000001 00000001 00000001 00000001 0000000e")))
        .isEqualTo(new ReplyHeader.AuthError(1, AuthStatus.RPCSEC_GSS_CTXPROBLEM));
    for (String unknown : new String[] {"0000000f", "00000063", "80000000", "ffffffff"}) {
      assertThat(decoded(Hex.bytes("00000001 00000001 00000001 00000001" + unknown)))
          .isEqualTo(new ReplyHeader.AuthError(1, AuthStatus.FAILED));
    }
  }

  @Test
  @DisplayName("B-102 B-121: credentials are bounded before anything is made of them")
  void boundedCredentials() {
    assertThatThrownBy(() -> new OpaqueAuth(1, new byte[401])).isInstanceOf(XdrException.class);
    OpaqueAuth longest = new OpaqueAuth(1, new byte[400]);
    XdrWriter writer = new XdrWriter();
    longest.encode(writer);
    assertThat(OpaqueAuth.decode(new XdrReader(ByteBuffer.wrap(writer.toByteArray()))))
        .isEqualTo(longest);
    for (String length : new String[] {"00000191", "80000000", "ffffffff"}) {
      assertThatThrownBy(() -> OpaqueAuth.decode(new XdrReader(Hex.buffer("00000001" + length))))
          .isInstanceOf(XdrException.class);
    }
    for (String count : new String[] {"00000011", "40000000", "80000000", "ffffffff"}) {
      OpaqueAuth auth = new OpaqueAuth(AuthFlavor.SYS, Hex.bytes(
          "00000000 00000000 00000000 00000000" + count + "00000000"));
      assertThatThrownBy(() -> AuthSys.from(auth)).isInstanceOf(XdrException.class);
    }
    assertThatThrownBy(() -> AuthSys.from(OpaqueAuth.NONE)).isInstanceOf(XdrException.class);
  }

  /** Fails if {@code AuthSys.from} does not look for the end. */
  @Test
  void nothingFollowsTheGroups() {
    String ids = "00000007 00000000 000003e8 00000064 00000001 00000004";
    assertThat(AuthSys.from(new OpaqueAuth(AuthFlavor.SYS, Hex.bytes(ids))))
        .isEqualTo(new AuthSys(7, "", 1000, 100, List.of(4)));
    OpaqueAuth longer = new OpaqueAuth(AuthFlavor.SYS, Hex.bytes(ids + "00000018"));
    assertThatThrownBy(() -> AuthSys.from(longer)).isInstanceOf(XdrException.class)
        .hasMessageContaining("4 bytes are left over");
  }

  @Test
  void credentialsAreEqualByFlavorAndBody() {
    OpaqueAuth auth = new OpaqueAuth(5, new byte[] {1, 2, 3});
    assertThat(auth).isEqualTo(new OpaqueAuth(5, new byte[] {1, 2, 3}))
        .hasSameHashCodeAs(new OpaqueAuth(5, new byte[] {1, 2, 3}))
        .isNotEqualTo(new OpaqueAuth(6, new byte[] {1, 2, 3}))
        .isNotEqualTo(new OpaqueAuth(5, new byte[] {1, 2, 4}))
        .doesNotHaveSameHashCodeAs(new OpaqueAuth(6, new byte[] {1, 2, 3}))
        .doesNotHaveSameHashCodeAs(new OpaqueAuth(5, new byte[] {1, 2, 4}));
  }

  @Test
  void aCredentialIsShownWithoutItsBody() {
    assertThat(new OpaqueAuth(-1, new byte[] {7, 8, 9})).hasToString("flavor 4294967295, 3 bytes");
  }

  @Test
  void aMachineIsCalledWhateverItIsCalled() {
    AuthSys latin = AuthSys.from(new OpaqueAuth(AuthFlavor.SYS, Hex.bytes(
        "00000007 00000004 6772fc6e 000003e8 00000064 00000000")));
    assertThat(latin).isEqualTo(new AuthSys(7, "gr\u00fcn", 1000, 100, List.of()));
    AuthSys text = AuthSys.from(new OpaqueAuth(AuthFlavor.SYS, Hex.bytes(
        "00000007 00000005 6772c3bc 6e000000 000003e8 00000064 00000000")));
    assertThat(text).isEqualTo(latin);
    // As long as it may be, of bytes that are two each in UTF-8.
    byte[] longest = new byte[255];
    Arrays.fill(longest, (byte) 0xff);
    OpaqueAuth auth = new OpaqueAuth(AuthFlavor.SYS, new XdrWriter().int32(7).opaque(longest)
        .int32(1000).int32(100).int32(0).toByteArray());
    assertThat(AuthSys.from(auth).machineName()).hasSize(255);
    assertThat(AuthSys.from(auth).toAuth()).isEqualTo(auth);
  }

  @Test
  void theNameOfAMachineIsWrittenAsUtf8IfItFits() {
    String name = "\u00fc".repeat(127) + "x";
    OpaqueAuth auth = new AuthSys(7, name, 1000, 100, List.of()).toAuth();
    XdrWriter utf8 = new XdrWriter().int32(7).string(name).int32(1000).int32(100).int32(0);
    assertThat(auth.body()).isEqualTo(utf8.toByteArray());
    byte[] latin1 = (name + "x").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(new AuthSys(7, name + "x", 1000, 100, List.of()).toAuth().body()).isEqualTo(
        new XdrWriter().int32(7).opaque(latin1).int32(1000).int32(100).int32(0).toByteArray());
  }

  @Test
  void theNameOfAMachineHasABound() {
    for (String name : new String[] {"x".repeat(255), "\u20ac".repeat(85), ""}) {
      assertThat(AuthSys.from(new AuthSys(7, name, 1, 2, List.of()).toAuth()).machineName())
          .isEqualTo(name);
    }
    for (String name : new String[] {"x".repeat(256), "\u20ac".repeat(86)}) {
      assertThatThrownBy(() -> new AuthSys(7, name, 1, 2, List.of()))
          .isInstanceOf(XdrException.class).hasMessageContaining("255");
    }
    OpaqueAuth tooLong = new OpaqueAuth(AuthFlavor.SYS, new XdrWriter().int32(7)
        .opaque(new byte[256]).int32(1000).int32(100).int32(0).toByteArray());
    assertThatThrownBy(() -> AuthSys.from(tooLong)).isInstanceOf(XdrException.class);
  }
}
