// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata behind the peer's calls, and behind the replies to them. */
class MetadataOfCallsTest {

  private static final String EMPTY = "4d440000";
  /** Asks how long the server takes. */
  private static final String ASKS = "00030000 4d440004";
  private static final String SUCCESS = " 00000001 00000000 00000000 00000000 00000000 ";
  private static final String SYSTEM_ERR = " 00000001 00000000 00000000 00000000 00000005 ";
  private static final String HEADER = "00001111 00000001 00000003 00000000 00000000 00000000 00000000 00001111";

  private final MachineBed bed = new MachineBed(MachineBed.like(false).metadata(true)
      .largeReplies(new LargeReplies(false, true, false, 100_000, MachineBed.SECOND)));

  @AfterEach
  void nothingIsLeft() {
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  /** A call with so many arguments, and a block. */
  private void call(String arguments, String block) {
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL + arguments + block);
  }

  private void answer(int bytes) {
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[bytes]));
    bed.settle();
  }

  private void at(long time) {
    bed.now = time;
    bed.deadlines.advance(time);
    bed.settle();
  }

  @Test
  @DisplayName("A block is behind the arguments, and is none of them; a reply has one, too")
  void inline() {
    call("0000002a", EMPTY);
    assertThat(bed.incoming.get(0).arguments().int32()).isEqualTo(42);
    bed.incoming.get(0).arguments().end();
    assertThat(bed.incoming.get(0).metadata()).isEmpty();
    answer(4);
    assertThat(bed.takeSent()).containsExactly(HEADER + SUCCESS + "00000000 4d440000");
  }

  @Test
  @DisplayName("What the caller says beside its call comes to its service")
  void tags() {
    Metadata metadata = new Metadata("", "", Map.of("a", "b"));
    byte[] tags = metadata.encoded();
    call("", Hex.written(ByteBuffer.wrap(tags).position(tags.length)) + "4d44000c");
    assertThat(Metadata.decode(bed.incoming.get(0).metadata())).isEqualTo(metadata);
    answer(0);
    bed.takeSent();
  }

  @Test
  @DisplayName("A reply says how long the server took if its caller asks, whatever its form")
  void serverTime() {
    String time = " 00030004 00000007 4d440008";
    call("", ASKS);
    bed.now += 7_000;
    answer(4);
    assertThat(bed.takeSent()).containsExactly(HEADER + SUCCESS + "00000000" + time);
    call("", ASKS);
    bed.now += 7_000;
    bed.incoming.remove(0).fail(AcceptStatus.SYSTEM_ERR);
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR.strip().replaceAll("^", " ") + time);
    bed.receive("00001111 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000abc 00000800"
        + "00000000 00000020 00001111" + CALL + ASKS);
    bed.now += 7_000;
    answer(1500);
    assertThat(bed.takeSent()).first().isEqualTo("write 1536 to abc+32");
    assertThat(Hex.written(ByteBuffer.wrap(bed.written.get("abc+32")).position(1536))).endsWith("00000000" + time);
    call("", ASKS);
    bed.now += 7_000;
    answer(1500);
    ByteBuffer provided = bed.exposed.get(0x1001).bytes();
    assertThat(provided.remaining()).isEqualTo(24 + 1500 + 12);
    assertThat(Hex.written(provided.position(provided.limit()))).endsWith("00000000" + time);
    bed.receive("00001111 00000001 00000004 00000003");
    bed.takeSent();
  }

  /** Fails if the tag is not counted where the reply is planned. */
  @Test
  @DisplayName("A call that is one too many is answered SYSTEM_ERR, and that it was not executed")
  void overloaded() {
    call("", EMPTY);
    bed.incoming.remove(0).overloaded();
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR + "00060000 4d440004");
    call("", ASKS);
    bed.incoming.remove(0).overloaded();
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR + "00030004 00000000 00060000 4d44000c");
  }

  /** Fails if {@code ReplyTransmission.plan} takes the tag for a part of the reply. */
  @Test
  @DisplayName("A call that is one too many is answered SYSTEM_ERR alone if there is no room for more")
  void overloadedWithoutRoom() {
    MachineBed full = new MachineBed(MachineBed.like(false).metadata(true)
        .limits(new WireLimits(100, 100_000, 100_000, 150_000)));
    full.readable.put(0x77, Hex.bytes("00001111" + CALL + EMPTY));
    full.receive("00001111 00000001 00000020 00000001 00000001 00000000 00000077 0000002c 00000000 00000000"
        + "00000000 00000001 0000003c" + " 00000abc 00000010 00000000 00000000".repeat(60) + "00000000 00000000");
    full.settle();
    full.incoming.remove(0).overloaded();
    full.settle();
    assertThat(full.takeSent()).singleElement().asString().endsWith(SYSTEM_ERR + EMPTY);
    full.lose("the end");
    full.settle();
    full.checkAtRest();
  }

  @Test
  @DisplayName("A reply that fits its message or its chunk without the time goes there without the time")
  void dropped() {
    int most = 1024 - 28 - 24 - 4;
    call("", ASKS);
    answer(most - 8);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00030004 00000000 4d440008");
    call("", ASKS);
    answer(most - 4);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000000 00000000 4d440000");
    String chunk = "00001111 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000abc 00000800"
        + "00000000 00000000 00001111" + CALL + ASKS;
    bed.receive(chunk);
    answer(2048 - 24 - 12);
    assertThat(bed.takeSent()).first().isEqualTo("write 2048 to abc+0");
    bed.receive(chunk);
    answer(2048 - 24 - 4);
    assertThat(bed.takeSent()).first().isEqualTo("write 2048 to abc+0");
    assertThat(Hex.written(ByteBuffer.wrap(bed.written.get("abc+0")).position(2048))).endsWith("00000000 4d440000");
  }

  @Test
  @DisplayName("A service has as long as its caller waits, if that is less than it has anyway")
  void timeLeft() {
    call("", "00020004 000f4240 4d440008");
    assertThat(bed.incoming.get(0).deadline()).isEqualTo(MachineBed.SECOND);
    at(MachineBed.SECOND - 1);
    assertThat(bed.takeSent()).isEmpty();
    at(MachineBed.SECOND);
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR + EMPTY);
    call("", "00020004 80000000 4d440008");
    assertThat(bed.incoming.get(1).deadline()).isEqualTo(MachineBed.SECOND + MachineBed.SERVICE_TIME);
  }

  @Test
  @DisplayName("A call that nobody waits for is not executed: when it comes, or when it has been pulled")
  void tooLate() {
    call("", "00020004 00000000 4d440008");
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR + EMPTY);
    bed.held = true;
    bed.receive("00001111 00000001 00000020 00000000 00000001 0000002c 00000abc 00000008 00000000"
        + "00000000 00000000 00000000 00000000 00001111" + CALL + "00000008 00020004 000f4240 4d440008");
    bed.now += 2 * MachineBed.SECOND;
    bed.held = false;
    bed.settle();
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.takeSent()).containsExactly(HEADER + SYSTEM_ERR + EMPTY);
  }

  @Test
  @DisplayName("The block of a Long call is at the end of its chunk")
  void longCall() {
    bed.readable.put(0x77, Hex.bytes("00001111" + CALL + "0000002a 00020004 000f4240 4d440008"));
    bed.receive("00001111 00000001 00000020 00000001 00000001 00000000 00000077 00000038 00000000 00000000"
        + "00000000 00000000 00000000");
    assertThat(bed.incoming.get(0).arguments().int32()).isEqualTo(42);
    bed.incoming.get(0).arguments().end();
    assertThat(bed.incoming.get(0).deadline()).isEqualTo(MachineBed.SECOND);
    answer(0);
    assertThat(bed.takeSent()).containsExactly(HEADER + SUCCESS + EMPTY);
  }

  @Test
  @DisplayName("R-061: no Position is in the block of a Long call")
  void position() {
    bed.readable.put(0x77, Hex.bytes("00001111" + CALL + "00000008 4d440000"));
    bed.receive("00001111 00000001 00000020 00000001 00000001 00000000 00000077 00000030 00000000 00000000"
        + "00000001 00000030 00000078 00000008 00000000 00000000 00000000 00000000 00000000");
    assertThat(bed.takeSent()).containsExactly("00001111 00000001 00000003 00000004 00000002");
    assertThat(bed.incoming).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("Without a sound block the connection ends, and nothing is executed")
  void unsound(boolean longCall) {
    bed.readable.put(0x77, Hex.bytes("00001111" + CALL));
    bed.receive(longCall ? "00001111 00000001 00000020 00000001 00000001 00000000 00000077 00000028 00000000 00000000"
        + "00000000 00000000 00000000" : "00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    assertThat(bed.disconnected).contains("metadata block");
    assertThat(bed.incoming).isEmpty();
    bed.lose("the end");
  }

  @Test
  @DisplayName("R-141 R-154: RDMA_ERROR has no block, and a message of hardly more than a block is discarded")
  void errors() {
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00000000 4d440000");
    assertThat(bed.takeSent()).isEmpty();
    bed.receive("00001111 00000001 00000020 00000001" + NO_LISTS);
    assertThat(bed.takeSent()).containsExactly("00001111 00000001 00000003 00000004 00000002");
  }
}
