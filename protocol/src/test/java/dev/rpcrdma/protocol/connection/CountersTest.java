// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is counted of each form of a message, at both ends. Fails if one is not counted, or twice. */
class CountersTest {

  /** XID, REPLY, MSG_ACCEPTED, no verifier, SUCCESS. */
  private static final String HEAD = "51000000 00000001 00000000 00000000 00000000 00000000";
  private static final int CALL_HEAD = 40;
  private static final int REPLY_HEAD = 24;

  private static Map<String, Long> counted(MachineBed bed) {
    Counters counters = bed.machine.counters();
    Map<String, Long> all = new TreeMap<>();
    all.put("calls sent", counters.callsSent());
    all.put("calls served", counters.callsServed());
    all.put("inline", counters.sentInline());
    all.put("long", counters.sentLong());
    all.put("Read chunks", counters.readChunks());
    all.put("at Position zero", counters.positionZeroChunks());
    all.put("Write chunks", counters.writeChunks());
    all.put("Reply chunks", counters.replyChunks());
    all.put("bytes sent", counters.bytesSent());
    all.put("bytes received", counters.bytesReceived());
    all.put("discarded", counters.discarded());
    all.values().removeIf(count -> count == 0);
    return all;
  }

  @Test
  @DisplayName("A client counts a short call and its reply")
  void shortCall() {
    MachineBed bed = new MachineBed(true);
    bed.call(4);
    bed.receive("51000000 00000001 00000003 00000000" + NO_LISTS + HEAD + "00000007");
    assertThat(counted(bed)).isEqualTo(Map.of("calls sent", 1L, "inline", 1L,
        "bytes sent", CALL_HEAD + 4L, "bytes received", REPLY_HEAD + 4L));
  }

  @Test
  @DisplayName("A client counts an item that is pulled, and one that is placed")
  void chunks() {
    MachineBed bed = new MachineBed(true);
    bed.call(new XdrWriter().dataItem(DataItem.of(new byte[2000])));
    assertThat(counted(bed)).isEqualTo(Map.of("calls sent", 1L, "inline", 1L, "Read chunks", 1L,
        "bytes sent", CALL_HEAD + 4 + 2000L));
    bed = new MachineBed(true);
    bed.call(4, 2000);
    bed.receive("51000000 00000001 00000003 00000000 00000000 00000001 00000001 00001001 00000003"
        + " 00000000 00000000 00000000 00000000" + HEAD + "00000003");
    assertThat(counted(bed)).isEqualTo(Map.of("calls sent", 1L, "inline", 1L, "Write chunks", 1L,
        "bytes sent", CALL_HEAD + 4L, "bytes received", REPLY_HEAD + 4 + 3L));
  }

  @Test
  @DisplayName("A client counts a Long call, and a reply in its Reply chunk")
  void longCall() {
    MachineBed bed = new MachineBed(true);
    bed.call(new XdrWriter().fixedOpaque(new byte[2000]));
    assertThat(counted(bed)).isEqualTo(Map.of("calls sent", 1L, "long", 1L, "at Position zero", 1L,
        "bytes sent", CALL_HEAD + 2000L));
    bed = new MachineBed(true);
    bed.call(2000);
    bed.exposed.get(0x1001).bytes().put(Hex.bytes(HEAD + "00000007"));
    bed.receive("51000000 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00001001"
        + "%08x 00000000 00000000".formatted(REPLY_HEAD + 4));
    assertThat(counted(bed)).isEqualTo(Map.of("calls sent", 1L, "inline", 1L, "Reply chunks", 1L,
        "bytes sent", CALL_HEAD + 4L, "bytes received", REPLY_HEAD + 4L));
  }

  @Test
  @DisplayName("A server counts what it pulls, what it places, and its reply")
  void served() {
    MachineBed bed = new MachineBed(false);
    bed.receive("11111111 00000001 00000020 00000000 00000001 0000002c 00000abc 00000009 00000000"
        + "00000000 00000000 00000001 00000001 0000aaaa 00000040 00000000 00000000 00000000"
        + "00000000 11111111" + CALL + "00000009");
    assertThat(bed.incoming.get(0).reducedArguments()).isEqualTo(1);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(DataItem.of(new byte[5])));
    bed.settle();
    assertThat(counted(bed)).isEqualTo(Map.of("calls served", 1L, "inline", 1L,
        "bytes sent", REPLY_HEAD + 4 + 5L, "bytes received", CALL_HEAD + 4 + 9L));
  }

  @Test
  @DisplayName("A server counts a Long call, whose chunk is no argument, and a Long reply")
  void servedLong() {
    MachineBed bed = new MachineBed(false);
    bed.readable.put(0x77, Hex.bytes("11111111" + CALL));
    bed.receive("11111111 00000001 00000020 00000001 00000001 00000000 00000077"
        + "%08x 00000000 00000000 00000000 00000000".formatted(CALL_HEAD)
        + "00000001 00000001 0000bbbb 00001000 00000000 00000000");
    assertThat(bed.incoming.get(0).reducedArguments()).isZero();
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    bed.settle();
    assertThat(counted(bed)).isEqualTo(Map.of("calls served", 1L, "long", 1L,
        "bytes sent", REPLY_HEAD + 2000L, "bytes received", (long) CALL_HEAD));
  }

  @Test
  @DisplayName("A server counts short calls, and what it discards")
  void servedShort() {
    MachineBed bed = new MachineBed(false);
    bed.receive("11111111 00000001 00000020 00000000" + NO_LISTS + "11111111" + CALL);
    bed.incoming.remove(0).reply(writer -> writer.int32(1));
    bed.receive("11111111");
    bed.settle();
    assertThat(counted(bed)).isEqualTo(Map.of("calls served", 1L, "inline", 1L, "discarded", 1L,
        "bytes sent", REPLY_HEAD + 4L, "bytes received", (long) CALL_HEAD));
  }

  @Test
  @DisplayName("A Write chunk that comes back unused is not counted, nor missed by a result without bytes")
  void unusedWriteChunk() {
    for (String list : new String[] {"00000000", "00000001 00000001 00001001 00000000 00000000 00000000 00000000"}) {
      MachineBed bed = new MachineBed(true);
      List<Integer> lengths = new ArrayList<>();
      bed.handle((RepliedListener) results -> lengths.add(results.dataItem(2000).length()), 8, 2000);
      bed.receive("51000000 00000001 00000001 00000000 00000000" + list + "00000000 51000000"
          + "00000001 00000000 00000000 00000000 00000000 00000000");
      assertThat(lengths).containsExactly(0);
      assertThat(bed.machine.counters().writeChunks()).isZero();
    }
  }
}
