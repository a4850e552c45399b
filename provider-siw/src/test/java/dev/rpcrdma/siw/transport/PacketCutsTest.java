// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A packet holds of each frame nothing, or enough for tshark to know it. */
@Label("siw: cuts between the packets of a capture")
final class PacketCutsTest {

  private static final int STARTUP = 20;
  private static final int FPDU = 8;

  /** What the packets of one direction hold. */
  private static final class Packets {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TreeSet<Integer> ends = new TreeSet<>();
    private final PacketCuts cuts = new PacketCuts(this::packet);

    private void packet(ByteBuffer packet) {
      assertThat(packet.remaining()).isBetween(1, CapturedStream.MAX_PACKET_BYTES);
      byte[] copy = new byte[packet.remaining()];
      packet.get(copy);
      bytes.writeBytes(copy);
      ends.add(bytes.size());
    }

    void tell(byte[] all, int from, int to) {
      ByteBuffer told = ByteBuffer.wrap(all, from, to - from);
      cuts.take(told);
      assertThat(told.position()).isEqualTo(from);
      assertThat(told.limit()).isEqualTo(to);
    }

    void check(byte[] all, List<byte[]> frames) {
      assertThat(bytes.toByteArray()).isEqualTo(all);
      ends.forEach(end -> assertThat(end(frames, end)).isEqualTo(end));
    }
  }

  private static byte[] startup(int privateData) {
    return new MpaFrame(true, false, true, false, 1, Optional.empty(), new byte[privateData])
        .encode();
  }

  private static byte[] fpdu(int ulpdu) {
    byte[] bytes = new byte[ulpdu];
    new Random(ulpdu).nextBytes(bytes);
    return Fpdus.frame(bytes);
  }

  /** Where a packet that ends at an index should have ended. */
  private static int end(List<byte[]> frames, int index) {
    int at = 0;
    for (int i = 0; i < frames.size() && at < index; i++) {
      if (index - at < (i == 0 ? STARTUP : FPDU)) {
        return at;
      }
      at += frames.get(i).length;
    }
    return index;
  }

  @Property(seed = "5044", tries = 500)
  @Label("whatever is told at once, all is shown as soon as it may be, and in order")
  void anyPieces(@ForAll @IntRange(max = 60) int privateData,
      @ForAll @Size(max = 12) List<@IntRange(max = 90) Integer> ulpdus,
      @ForAll @Size(min = 1, max = 9) List<@IntRange(min = 1, max = 70) Integer> pieces) {
    List<byte[]> frames = new ArrayList<>(List.of(startup(privateData)));
    ulpdus.forEach(ulpdu -> frames.add(fpdu(ulpdu)));
    byte[] all = Fpdus.concat(frames.toArray(byte[][]::new));
    Packets packets = new Packets();
    int at = 0;
    for (int i = 0; at < all.length; i++) {
      int to = Math.min(all.length, at + pieces.get(i % pieces.size()));
      packets.tell(all, at, to);
      assertThat(packets.bytes.size()).isEqualTo(end(frames, to));
      at = to;
    }
    packets.check(all, frames);
  }

  @Property(seed = "5044", tries = 300)
  @Label("what is longer than a packet is cut where it may be")
  void longerThanPackets(@ForAll @IntRange(max = 3) int privateData,
      @ForAll @IntRange(min = 65_420, max = 65_535) int ulpdu) {
    List<byte[]> frames = List.of(startup(privateData), fpdu(ulpdu), fpdu(ulpdu), fpdu(20),
        fpdu(65_535), fpdu(ulpdu));
    byte[] all = Fpdus.concat(frames.toArray(byte[][]::new));
    Packets packets = new Packets();
    packets.tell(all, 0, all.length);
    packets.check(all, frames);
    assertThat(packets.ends).contains(end(frames, CapturedStream.MAX_PACKET_BYTES));
  }

  @Example
  @Label("what waits at the end is shown")
  void end() {
    List<byte[]> frames = List.of(startup(0), Arrays.copyOf(fpdu(30), FPDU - 1));
    byte[] all = Fpdus.concat(frames.toArray(byte[][]::new));
    Packets packets = new Packets();
    packets.tell(all, 0, all.length);
    assertThat(packets.bytes.size()).isEqualTo(STARTUP);
    packets.cuts.end();
    packets.cuts.end();
    assertThat(packets.bytes.toByteArray()).isEqualTo(all);
  }
}
