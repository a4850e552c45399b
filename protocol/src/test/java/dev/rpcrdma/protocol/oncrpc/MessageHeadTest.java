// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages that end within their heads, and those that do not. */
class MessageHeadTest {

  private static final OpaqueAuth PROOF = new OpaqueAuth(6, new byte[13]);

  /** Looks at a message that has something in front of it and behind it. */
  private static boolean cutShort(byte[] message, int length) {
    ByteBuffer larger = ByteBuffer.allocate(3 + message.length + 50).put(3, message);
    boolean cut = MessageHead.cutShort(larger.position(3).limit(3 + length));
    assertThat(larger.position()).isEqualTo(3);
    return cut;
  }

  private static void wholeWithAllBytes(byte[] head) {
    for (int length = 0; length <= head.length; length++) {
      assertThat(cutShort(head, length)).as("%d of %d bytes", length, head.length).isEqualTo(length < head.length);
    }
    assertThat(cutShort(head, head.length + 40)).as("with results or arguments").isFalse();
  }

  private static byte[] bytes(ReplyHeader header) {
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    return writer.toByteArray();
  }

  /** Fails if {@code MessageHead.callCutShort} leaves one of the two proofs out. */
  @Test
  @DisplayName("R-141: a call is whole with its verifier, whatever the length of its credential")
  void calls() {
    for (OpaqueAuth credential : List.of(OpaqueAuth.NONE, PROOF, new OpaqueAuth(1, new byte[400]))) {
      XdrWriter writer = new XdrWriter();
      new CallHeader(1, 2, 9, 1, 5, credential, PROOF).encode(writer);
      wholeWithAllBytes(writer.toByteArray());
    }
  }

  /** Fails if {@code MessageHead.replyCutShort} treats the statuses alike. */
  @Test
  @DisplayName("R-141: a reply is whole with what its status brings")
  void replies() {
    wholeWithAllBytes(bytes(new ReplyHeader.Accepted(1, AcceptStatus.SUCCESS)));
    wholeWithAllBytes(bytes(new ReplyHeader.Accepted(1, PROOF, AcceptStatus.GARBAGE_ARGS, 0, 0)));
    wholeWithAllBytes(bytes(new ReplyHeader.Accepted(1, PROOF, AcceptStatus.PROG_MISMATCH, 1, 2)));
    wholeWithAllBytes(bytes(new ReplyHeader.RpcMismatch(1)));
    wholeWithAllBytes(bytes(new ReplyHeader.AuthError(1, AuthStatus.TOOWEAK)));
  }

  /** Fails if {@code MessageHead.authEnd} takes any length, or {@code cutShort} any msg_type, for a sound one. */
  @Test
  @DisplayName("R-147: what is wrong is not too short")
  void wrong() {
    for (String message : List.of("00000001 00000000 00000003",
        "00000001 00000000 00000002 00000009 00000001 00000005 00000000 00000191",
        "00000001 00000000 00000002 00000009 00000001 00000005 00000000 ffffffff",
        "00000001 00000000 00000002 00000009 00000001 00000005 00000000 00000000 00000000 7fffffff",
        "00000001 00000001 00000000 00000000 00000191", "00000001 00000001 00000002 00000000 00000000",
        "00000001 00000001 00000001 00000007 00000000", "00000001 00000002 00000000 00000000 00000000")) {
      byte[] bytes = Hex.bytes(message);
      assertThat(cutShort(bytes, bytes.length)).as(message).isFalse();
    }
  }
}
