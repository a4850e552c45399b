// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The block behind an RPC message, byte by byte. */
class MetadataTest {

  private static final String MESSAGE = "11111111 22222222 ";
  private static final String TRACE_PARENT = "00-0102030405060708090a0b0c0d0e0f10-1112131415161718-01";
  private static final String TRACE_CONTEXT =
      "0001001a 00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18010000 ";

  private final InboundMetadata inbound = new InboundMetadata();

  /** Cuts what follows a message of two words. */
  private boolean cut(String block) {
    ByteBuffer stream = Hex.buffer(MESSAGE + block);
    int length = stream.limit();
    boolean sound = inbound.cut(stream);
    assertThat(stream.limit()).isEqualTo(sound ? 8 : length);
    assertThat(stream.position()).isZero();
    return sound;
  }

  private static String written(byte[] tags, long nanosLeft) {
    ByteBuffer target = ByteBuffer.allocate(MetadataBlock.callLength(tags));
    MetadataBlock.writeCall(target, tags, nanosLeft);
    assertThat(target.hasRemaining()).isFalse();
    return Hex.written(target);
  }

  @Test
  @DisplayName("A call says for how long its caller will wait")
  void timeLeft() {
    String block = written(new byte[0], 5_000_999);
    assertThat(block).isEqualTo("00020004 00001388 4d440008");
    assertThat(cut(block)).isTrue();
    assertThat(inbound.nanosLeft()).isEqualTo(5_000_000);
    assertThat(inbound.asksServerTime()).isFalse();
    assertThat(inbound.serverNanos()).isEqualTo(-1);
    assertThat(inbound.tags()).isEmpty();
  }

  @Test
  @DisplayName("A time that is over is 0, and one that is too long to be said is no bound")
  void extremeTimes() {
    assertThat(written(new byte[0], -5)).startsWith("00020004 00000000");
    assertThat(cut("00020004 00000000 4d440008")).isTrue();
    assertThat(inbound.nanosLeft()).isZero();
    assertThat(written(new byte[0], Long.MAX_VALUE)).startsWith("00020004 ffffffff");
    assertThat(written(new byte[0], 4_294_967_294_999L)).startsWith("00020004 fffffffe");
    assertThat(written(new byte[0], 4_294_967_295_000L)).startsWith("00020004 ffffffff");
    assertThat(cut("00020004 ffffffff 4d440008")).isTrue();
    assertThat(inbound.nanosLeft()).isEqualTo(-1);
    assertThat(cut("00020004 fffffffe 4d440008")).isTrue();
    assertThat(inbound.nanosLeft()).isEqualTo(4_294_967_294_000L);
  }

  @Test
  @DisplayName("A reply says how long its server took, or nothing")
  void serverTime() {
    ByteBuffer target = ByteBuffer.allocate(16);
    MetadataBlock.writeReply(target, 7_000, false);
    MetadataBlock.writeReply(target, -1, false);
    assertThat(Hex.written(target)).isEqualTo("00030004 00000007 4d440008 4d440000");
    assertThat(cut("00030004 00000007 4d440008")).isTrue();
    assertThat(inbound.serverNanos()).isEqualTo(7_000);
    assertThat(cut("4d440000")).as("nothing is left of the one before").isTrue();
    assertThat(inbound.serverNanos()).isEqualTo(-1);
  }

  /** Fails if the length of a tag is not looked at, or one reply's tag is left for the next. */
  @Test
  @DisplayName("A reply says that its call was not executed, since there are too many")
  void overloaded() {
    ByteBuffer target = ByteBuffer.allocate(24);
    MetadataBlock.writeReply(target, -1, true);
    MetadataBlock.writeReply(target, 7_000, true);
    assertThat(Hex.written(target)).isEqualTo("00060000 4d440004 00030004 00000007 00060000 4d44000c");
    assertThat(target.position())
        .isEqualTo(MetadataBlock.replyLength(false, true) + MetadataBlock.replyLength(true, true));
    assertThat(cut("00060000 4d440004")).isTrue();
    assertThat(inbound.overloaded()).isTrue();
    assertThat(inbound.tags()).isEmpty();
    assertThat(cut("00060004 00000001 4d440008")).isTrue();
    assertThat(inbound.overloaded()).as("of another length than its type has").isFalse();
  }

  @Test
  @DisplayName("Trace context, tracestate and headers cross")
  void tags() {
    Metadata metadata = new Metadata(TRACE_PARENT, "a=1", Map.of("Tenant-Id", "Köln"));
    byte[] tags = Metadata.askingServerTime(metadata.encoded());
    assertThat(Hex.written(ByteBuffer.wrap(tags).position(tags.length))).isEqualTo("00030000 " + TRACE_CONTEXT
        + "00040003 613d3100 00050011 0974656e 616e742d 69640005 4bc3b66c 6e000000");
    assertThat(cut(written(tags, 0))).isTrue();
    assertThat(inbound.asksServerTime()).isTrue();
    assertThat(Metadata.decode(inbound.tags())).isEqualTo(metadata)
        .isEqualTo(new Metadata(TRACE_PARENT, "a=1", Map.of("tenant-id", "Köln")));
    assertThat(Metadata.decode(new byte[0])).isEqualTo(Metadata.NONE);
    assertThat(Metadata.NONE.encoded()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4d44", "4d450000", "004d4400", "4d440001", "4d440004", "4d440400 ", "4d44ffff",
      "00000000 00000000 4d440010", "00000005 00000000 4d440008", "0000ffff 00000000 4d440008",
      "00000000 00000009 4d440008"})
  @DisplayName("No block, one that is longer than its message, and tags that do not end where it does are not sound")
  void unsound(String block) {
    // The last one has a tag that would end behind the block; the first two have the message's own words there.
    assertThat(cut(block)).isFalse();
    assertThat(inbound.tags()).isEmpty();
    assertThat(inbound.nanosLeft()).isEqualTo(-1);
  }

  @Test
  @DisplayName("A block has at most 1024 bytes")
  void longest() {
    String tag = "00630000 ";
    assertThat(cut(tag.repeat(255) + "4d4403fc")).isTrue();
    assertThat(cut(tag.repeat(256) + "4d440400")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
      "00990004 00000001 00020004 00000001 4d440010, unknown",
      "00020004 00000001 00020004 00000002 4d440010, repeated",
      "00020002 00010000 00020004 00000001 4d440010, of another length"})
  @DisplayName("A tag that is unknown, has another length than its type, or comes again is skipped")
  void skipped(String block, String what) {
    assertThat(cut(block)).isTrue();
    assertThat(inbound.nanosLeft()).as(what).isEqualTo(1_000);
    assertThat(Metadata.decode(inbound.tags())).isEqualTo(Metadata.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "0001001a ff010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18010000 ", "00010001 00000000",
      "00040001 0a000000", "00040001 ff000000", "00050001 01000000", "00050003 00000000", "00050004 02414200",
      "00050005 01610001 00000000", "00050005 01610001 0a000000", "00050005 01410001 61000000",
      "00050004 01610001 ", "00050002 01610000"})
  @DisplayName("What is no trace context, no text, or no header is left out")
  void malformedValues(String tag) {
    assertThat(Metadata.decode(Hex.bytes(tag))).isEqualTo(Metadata.NONE);
    assertThat(Metadata.decode(Hex.bytes(tag + TRACE_CONTEXT)).traceParent()).isEqualTo(TRACE_PARENT);
  }

  @Test
  @DisplayName("Headers that cannot cross are refused where they are made")
  void refused() {
    for (String name : new String[] {"", "a b", "ä", "a:b", "a\n", "x".repeat(256)}) {
      assertThatThrownBy(() -> new Metadata("", "", Map.of(name, "1"))).as(name)
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + name + "'");
    }
    assertThatThrownBy(() -> new Metadata("", "", Map.of("a", "\ud83d")))
        .hasMessageContaining("half of a surrogate pair");
    assertThatThrownBy(() -> new Metadata("", "", Map.of("a", "1\r\n2"))).hasMessageContaining("control characters");
    assertThatThrownBy(() -> new Metadata("01-00", "", Map.of())).hasMessageContaining("01-00");
    Metadata most = new Metadata("", "", Map.of("a", "x".repeat(Metadata.MAX_LENGTH - 8)));
    assertThat(cut(written(Metadata.askingServerTime(most.encoded()), 1))).isTrue();
    assertThat(Metadata.decode(inbound.tags())).isEqualTo(most);
    assertThatThrownBy(() -> new Metadata("", "", Map.of("a", "x".repeat(Metadata.MAX_LENGTH - 7))))
        .hasMessage("Headers and trace context of 1012 bytes; a call has room for 1008");
  }

  @Test
  @DisplayName("A peer may use all of a block for what it says")
  void fromOthers() {
    String value = "78".repeat(1016 - 4);
    assertThat(cut("000503f8 0161" + "03f4" + value + "4d4403fc")).isTrue();
    assertThat(Metadata.decode(inbound.tags()).headers()).isEqualTo(Map.of("a", "x".repeat(1012)));
  }

  @Test
  @DisplayName("Whatever the last bytes are, they are a block or not")
  void sweep() {
    String block = "00020004 00001388 " + TRACE_CONTEXT + "00050005 01610001 62000000 4d440034";
    assertThat(cut(block)).isTrue();
    byte[] sound = Hex.bytes(MESSAGE + block);
    for (int i = 8; i < sound.length; i++) {
      for (int value : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
        byte[] changed = sound.clone();
        changed[i] = (byte) value;
        ByteBuffer stream = ByteBuffer.wrap(changed);
        if (inbound.cut(stream)) {
          assertThat(stream.limit()).isBetween(0, sound.length - 4);
          assertThat(Metadata.decode(inbound.tags())).isNotNull();
        }
      }
    }
  }
}
