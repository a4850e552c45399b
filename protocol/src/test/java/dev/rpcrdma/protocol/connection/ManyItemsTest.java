// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** More than one item in a message, and more than one segment in a chunk, in both roles. */
class ManyItemsTest {

  private static final byte[] FIRST = bytes(1, 5);
  private static final byte[] SECOND = bytes(6, 8);
  private static final byte[] LONG = bytes(20, 90);

  private final MachineBed server = new MachineBed(false);
  private final MachineBed client = new MachineBed(true);

  private static byte[] bytes(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  @AfterEach
  void nothingIsLeft() {
    server.checkAtRest();
    client.checkAtRest();
  }

  /** Takes the two items, and the words around them, off a call. */
  private static void readArguments(XdrReader arguments) {
    assertThat(arguments.int32()).isEqualTo(0xa1);
    assertThat(arguments.dataItem(100).toByteArray()).isEqualTo(FIRST);
    assertThat(arguments.int32()).isEqualTo(0xa2);
    assertThat(arguments.dataItem(100).toByteArray()).isEqualTo(SECOND);
    assertThat(arguments.int32()).isEqualTo(0xa3);
    arguments.end();
  }

  private byte[] put(String... targets) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String target : targets) {
      all.writeBytes(server.written.remove(target));
    }
    return all.toByteArray();
  }

  @Test
  @DisplayName("R-062 R-063 R-068 R-069: a server puts two items of two segments each into their places")
  void twoReadChunks() {
    server.readable.put(0x1a, FIRST);
    server.readable.put(0x2a, SECOND);
    // 40 bytes of head, the first word, the first length: the first item is at 48, the second at 64.
    server.receive("11111111 00000001 00000020 00000000"
        + "00000001 00000030 0000001a 00000002 00000000 00000000"
        + "00000001 00000040 0000002a 00000007 00000000 00000000"
        + "00000001 00000030 0000001a 00000003 00000000 00000002"
        + "00000001 00000040 0000002a 00000001 00000000 00000007"
        + "00000000 00000000 00000000"
        + "11111111" + CALL + "000000a1 00000005 000000a2 00000008 000000a3");
    IncomingCall call = server.incoming.remove(0);
    readArguments(call.arguments());
    call.reply(writer -> { });
    server.settle();
  }

  @Test
  @DisplayName("R-063 R-068 R-104: the same beside a Position-Zero chunk of two segments")
  void besidePositionZero() {
    server.readable.put(0x1a, FIRST);
    server.readable.put(0x2a, SECOND);
    server.readable.put(0x3a, Hex.bytes("11111111" + CALL
        + "000000a1 00000005 000000a2 00000008 000000a3"));
    server.receive("11111111 00000001 00000020 00000001"
        + "00000001 00000000 0000003a 0000001e 00000000 00000000"
        + "00000001 00000000 0000003a 0000001e 00000000 0000001e"
        + "00000001 00000030 0000001a 00000005 00000000 00000000"
        + "00000001 00000040 0000002a 00000008 00000000 00000000"
        + "00000000 00000000 00000000");
    IncomingCall call = server.incoming.remove(0);
    readArguments(call.arguments());
    call.reply(writer -> { });
    server.settle();
  }

  @Test
  @DisplayName("R-073 R-074 R-075 R-083: results fill the Write chunks in their order, segment by segment")
  void writeChunks() {
    server.receive("11111111 00000001 00000020 00000000 00000000"
        + "00000001 00000002 0000001b 00000004 00000000 00000010 0000001c 00000009 00000000 00000020"
        + "00000001 00000000"
        + "00000001 00000003 0000002b 00000003 00000000 00000000 0000002c 00000001 00000000 00000000"
        + " 0000002d 0000000a 00000000 00000000"
        + "00000001 00000001 0000003b 00000040 00000000 00000000"
        + "00000000 00000000 11111111" + CALL);
    server.incoming.remove(0).reply(writer -> writer
        .dataItem(DataItem.of(FIRST)).dataItem(DataItem.of(new byte[] {9}))
        .dataItem(DataItem.of(SECOND)));
    server.settle();
    assertThat(put("1b+16", "1c+32")).isEqualTo(FIRST);
    assertThat(put("2b+0", "2c+0", "2d+0")).isEqualTo(SECOND);
    assertThat(server.written).isEmpty();
    assertThat(server.takeSent()).last().asString().isEqualTo(
        "11111111 00000001 00000003 00000000 00000000"
            + " 00000001 00000002 0000001b 00000004 00000000 00000010 0000001c 00000001 00000000"
            + " 00000020"
            + " 00000001 00000000"
            + " 00000001 00000003 0000002b 00000003 00000000 00000000 0000002c 00000001 00000000"
            + " 00000000 0000002d 00000004 00000000 00000000"
            + " 00000001 00000001 0000003b 00000000 00000000 00000000"
            + " 00000000 00000000"
            // The second result has an empty chunk, and is here.
            + " 11111111 00000001 00000000 00000000 00000000 00000000"
            + " 00000005 00000001 09000000 00000008");
  }

  @Test
  @DisplayName("R-086 R-105: a Long reply fills the segments of its Reply chunk one after the other")
  void replyChunk() {
    server.receive("11111111 00000001 00000020 00000000 00000000"
        + "00000001 00000001 0000001b 00000100 00000000 00000000 00000000"
        + "00000001 00000003 0000002b 00000021 00000000 00000000 0000002c 00000002 00000000 00000000"
        + "0000002d 00001000 00000000 00000000 11111111" + CALL);
    byte[] inline = new byte[2000];
    server.incoming.remove(0).reply(writer -> writer.dataItem(DataItem.of(LONG)).opaque(inline));
    server.settle();
    assertThat(put("1b+0")).isEqualTo(LONG);
    byte[] reply = put("2b+0", "2c+0", "2d+0");
    XdrReader reader = new XdrReader(ByteBuffer.wrap(reply));
    assertThat(ReplyHeader.decode(reader).xid()).isEqualTo(0x11111111);
    assertThat(reader.int32()).isEqualTo(LONG.length);
    assertThat(reader.opaque(2000)).isEqualTo(inline);
    reader.end();
  }

  /** Reads two items and what is behind them. */
  private static final class TwoItems implements RepliedListener {

    private final List<byte[]> items = new ArrayList<>();
    private int last;

    @Override
    public void replied(XdrReader results) {
      for (int i = 0; i < 2; i++) {
        items.add(results.dataItem(5000).toByteArray());
      }
      last = results.int32();
      results.end();
    }
  }

  private static final String HEAD = "51000000 00000001 00000000 00000000 00000000 00000000";

  @Test
  @DisplayName("R-073 R-076: a client takes each result from its Write chunk")
  void twoResults() {
    TwoItems outcome = new TwoItems();
    client.handle(outcome, 4, 2000, 1000);
    client.exposed.get(0x1001).bytes().put(FIRST);
    client.exposed.get(0x1002).bytes().put(SECOND);
    client.receive("51000000 00000001 00000001 00000000 00000000"
        + "00000001 00000001 00001001 00000005 00000000 00000000"
        + "00000001 00000001 00001002 00000008 00000000 00000000 00000000 00000000"
        + HEAD + "00000005 00000008 000000a5");
    assertThat(outcome.items).containsExactly(FIRST, SECOND);
    assertThat(outcome.last).isEqualTo(0xa5);
  }

  @Test
  @DisplayName("R-076 R-083: a result that cannot have bytes keeps the place of its chunk")
  void emptyResultFirst() {
    TwoItems outcome = new TwoItems();
    client.handle(outcome, 4, 0, 1000);
    assertThat(client.takeSent()).singleElement().asString()
        .startsWith("51000000 00000001 00000004 00000000 00000000"
            + " 00000001 00000000"
            + " 00000001 00000001 00001001 000003e8 00000000 00000000 00000000 00000000");
    client.exposed.get(0x1001).bytes().put(SECOND);
    client.receive("51000000 00000001 00000001 00000000 00000000"
        + "00000001 00000000"
        + "00000001 00000001 00001001 00000008 00000000 00000000 00000000 00000000"
        + HEAD + "00000000 00000008 000000a5");
    assertThat(outcome.items).containsExactly(new byte[0], SECOND);
  }
}
