// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Waiting;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The bytes of a reply in the map of a cluster, which the next release reads. */
class StoredReplyTest {

  /** Kind 0, twelve bytes without items, and two items at offsets 8 and 12. */
  private static final String RESULTS = "00000000 0000000c 00000007 00000003 00000002"
      + " 00000002 00000008 00000003 0a0b0c00 0000000c 00000002 0d0e0000";
  /** A word, and two items with their lengths, as they are in a message. */
  private static final String MESSAGE = "00000007 00000003 0a0b0c00 00000002 0d0e0000";

  private static String words(byte[] bytes) {
    return HexFormat.of().formatHex(bytes).replaceAll("(.{8})(?=.)", "$1 ");
  }

  private static String words(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return words(bytes);
  }

  private static ByteBuffer buffer(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static PayloadStream encoded(XdrEncoder encoder) {
    XdrWriter writer = new XdrWriter();
    encoder.encode(writer);
    return writer.toPayloadStream();
  }

  private static PayloadStream results() {
    return encoded(writer -> writer.int32(7).dataItem(DataItem.of(new byte[] {10, 11, 12}))
        .dataItem(DataItem.of(new byte[] {13, 14})));
  }

  /** Fails if {@code StoredReply.stored} writes a field more, less, or in another order. */
  @Test
  @DisplayName("Results are stored as bytes without items, and items with their offsets")
  void stored() {
    assertThat(words(results().toByteArray())).isEqualTo(MESSAGE);
    assertThat(words(StoredReply.stored(results(), 20))).isEqualTo(RESULTS);
    assertThat(StoredReply.stored(results(), 19)).as("too large").isNull();
  }

  /** Fails if {@code StoredReply.answer} reads otherwise. */
  @Test
  @DisplayName("Results that were stored are what they were, with a word in front, and items apart again")
  void given() {
    PayloadStream answer = encoded(Waiting.await(StoredReply.answer(buffer(RESULTS))));
    assertThat(words(answer.toByteArray())).isEqualTo("52520100 " + MESSAGE);
    assertThat(answer.items()).extracting(item -> words(item.data().toByteArray())).containsExactly("0a0b0c", "0d0e");
    assertThat(answer.items()).extracting(PayloadStream.Item::offset).containsExactly(12, 16);
  }

  /** Fails if the numbers of kinds change, or a status is written by anything but its number. */
  @Test
  @DisplayName("A failure is stored with the number of its status")
  void failures() {
    assertThat(words(StoredReply.stored(new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "x"))))
        .isEqualTo("00000001 00000003");
    assertThat(words(StoredReply.stored(new XdrException("x")))).isEqualTo("00000001 00000004");
    assertThat(words(StoredReply.stored(new IllegalStateException("x")))).isEqualTo("00000001 00000005");
    assertThat(words(StoredReply.stored(new RpcStatusException(AuthStatus.TOOWEAK, "x"))))
        .isEqualTo("00000002 00000005");
    assertThat(Waiting.awaitFailure(StoredReply.answer(buffer("00000001 00000003"))))
        .isInstanceOfSatisfying(RpcStatusException.class, e -> assertThat(e.status())
            .contains(AcceptStatus.PROC_UNAVAIL));
    assertThat(Waiting.awaitFailure(StoredReply.answer(buffer("00000002 00000005"))))
        .isInstanceOfSatisfying(RpcStatusException.class, e -> assertThat(e.authStatus())
            .contains(AuthStatus.TOOWEAK));
  }

  /** Fails if {@code StoredReply.answer} does not look at offsets, or does not call {@code XdrReader.end}. */
  @Test
  @DisplayName("Items that are not where the bytes are, and what is behind the end, are refused")
  void bad() {
    for (String bad : new String[] {RESULTS.replace("00000008 0", "0000000d 0"),
        RESULTS.replace("00000008 0", "00000003 0"), RESULTS + "00000000", "00000000 00000004"}) {
      assertThatThrownBy(() -> StoredReply.answer(buffer(bad))).as(bad).isInstanceOf(XdrException.class);
    }
  }
}
