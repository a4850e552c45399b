// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.decode.Recorded.Piece;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What kernels have sent each other passes our state machines, however TCP cuts it. */
@DisplayName("Recorded streams")
@Tag("large")
final class RecordedStreamsTest {

  static final List<String> NAMES = Recorded.NAMES;

  /** All but the frame numbers, which depend on how the stream was cut. */
  private static List<String> effects(List<DecodedUnit> units) {
    return units.stream().map(unit -> unit.kind() + " " + unit.fromOpener() + " " + unit.text()
        + " " + unit.payload().hashCode()).collect(Collectors.toList());
  }

  /** Pieces keep their order between the directions, so both can be compared as one list. */
  private static List<String> decoded(List<Piece> pieces) {
    return effects(Recorded.decode(pieces));
  }

  @ParameterizedTest
  @CsvSource({"rping,1,44,16", "rping-crc,1,44,16", "rping-p2p,1,45,16", "rpingterm,1,6,1",
      "nfs41,1,322,98", "nfs3,3,2108,414"})
  @DisplayName("P-001 to P-018: each stream is well formed, and all of it is understood")
  void wellFormed(String name, int streams, int segments, int messages) {
    List<DecodedUnit> units = new ArrayList<>();
    List<List<Piece>> conversations = Recorded.conversations(name);
    assertThat(conversations).hasSize(streams);
    conversations.forEach(pieces -> units.addAll(Recorded.decode(pieces)));
    assertThat(units).extracting(DecodedUnit::kind).doesNotContain(Kind.FAULT, Kind.FOREIGN);
    assertThat(units).filteredOn(unit -> unit.kind() == Kind.STARTUP).hasSize(2 * streams);
    assertThat(units).filteredOn(unit -> unit.kind() == Kind.SEGMENT).hasSize(segments);
    assertThat(units).filteredOn(unit -> unit.kind() == Kind.MESSAGE).hasSize(messages);
  }

  /** Fails if {@code IwarpStream} tells no data of a segment, or in another direction, or lends it only. */
  @ParameterizedTest
  @CsvSource({"rping,24", "nfs3,1684"})
  @DisplayName("Data that was written and read is told behind its segment")
  void data(String name, int count) {
    int found = 0;
    for (List<Piece> pieces : Recorded.conversations(name)) {
      List<DecodedUnit> units = Recorded.decode(pieces);
      for (int i = 0; i < units.size(); i++) {
        DecodedUnit unit = units.get(i);
        if (unit.kind() == Kind.WRITTEN || unit.kind() == Kind.READ) {
          DecodedUnit segment = units.get(i - 1);
          assertThat(segment.text()).startsWith(unit.kind() == Kind.READ ? "RDMA Read Response" : "RDMA Write")
              .contains(", " + unit.payload().remaining() + " bytes");
          assertThat(segment.fromOpener()).isEqualTo(unit.fromOpener());
          found++;
        }
      }
    }
    assertThat(found).isEqualTo(count);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  @DisplayName("P-008, B-003: in whole turns, single bytes and random pieces, the effects are equal")
  void anyPieces(String name) {
    for (List<Piece> pieces : Recorded.conversations(name)) {
      List<String> expected = decoded(pieces);
      assertThat(decoded(Recorded.whole(pieces))).isEqualTo(expected);
      assertThat(decoded(Recorded.cut(pieces, 1, new Random(0)))).isEqualTo(expected);
      for (int seed = 1; seed <= 5; seed++) {
        assertThat(decoded(Recorded.cut(pieces, 1 << 2 * seed, new Random(seed))))
            .as("seed %d", seed).isEqualTo(expected);
      }
    }
  }

  @Test
  @DisplayName("P-007, P-018: a bit flipped anywhere behind startup of a stream with CRCs is found")
  void flippedBits() {
    List<Piece> pieces = Recorded.whole(Recorded.conversations("rping-crc").get(0));
    Random random = new Random(3);
    for (int turn = 2; turn < 12; turn++) {
      List<Piece> changed = new ArrayList<>(pieces);
      byte[] bytes = pieces.get(turn).bytes().clone();
      bytes[2 + random.nextInt(bytes.length - 2)] ^= (byte) (1 << random.nextInt(8));
      changed.set(turn, new Piece(pieces.get(turn).fromOpener(), bytes));
      List<DecodedUnit> units = Recorded.decode(changed);
      assertThat(units.get(units.size() - 1).kind()).isEqualTo(Kind.FAULT);
      assertThat(units.get(units.size() - 1).frame()).isEqualTo(turn + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"rping", "rping-p2p", "rpingterm"})
  @DisplayName("P-013: streams without CRCs, changed at random: a fault is all that comes of it")
  void changedAtRandom(String name) {
    List<Piece> pieces = Recorded.conversations(name).get(0);
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      List<Piece> changed = new ArrayList<>(pieces);
      for (int i = random.nextInt(3); i >= 0; i--) {
        int which = random.nextInt(changed.size());
        byte[] bytes = changed.get(which).bytes().clone();
        // Most of the time in a header, where it hurts.
        int at = random.nextInt(random.nextBoolean() ? Math.min(24, bytes.length) : bytes.length);
        bytes[at] = (byte) random.nextInt();
        changed.set(which, new Piece(changed.get(which).fromOpener(), bytes));
      }
      List<DecodedUnit> units = Recorded.decode(changed);
      for (int i = 0; i < units.size() - 1; i++) {
        assertThat(units.get(i).kind()).as("seed %d", seed).isNotIn(Kind.FAULT, Kind.FOREIGN);
      }
    }
  }

  @Test
  @DisplayName("P-003: a responder that sends first, P-002: an initiator that does not wait")
  void outOfTurn() {
    List<Piece> pieces = Recorded.whole(Recorded.conversations("rping").get(0));
    assertLast(List.of(pieces.get(0), pieces.get(1), pieces.get(3)), Kind.FAULT, "first FPDU");
    assertLast(List.of(pieces.get(0), pieces.get(2)), Kind.FAULT, "before it has the MPA Reply");
    // A Response without its Request.
    assertLast(List.of(pieces.get(0), pieces.get(1), pieces.get(2), pieces.get(4)), Kind.FAULT,
        "no Read asked for");
    assertLast(List.of(pieces.get(0), pieces.get(1), pieces.get(2), pieces.get(2)), Kind.FAULT,
        "sequence number");
  }

  @Test
  @DisplayName("P-002: a piece of no bytes does not make its sender the initiator")
  void emptyPiece() {
    List<Piece> pieces = new ArrayList<>(Recorded.conversations("rping").get(0));
    List<String> expected = decoded(pieces);
    pieces.add(0, new Piece(false, new byte[0]));
    assertThat(decoded(pieces)).isEqualTo(expected);
  }

  @Test
  @DisplayName("What is not iWARP is told once, at the first byte that shows it")
  void foreign() {
    byte[] http = "MPA? GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);
    List<Piece> pieces = List.of(new Piece(true, http), new Piece(false, http));
    assertLast(pieces, Kind.FOREIGN, "not iWARP");
    assertThat(Recorded.decode(pieces)).hasSize(1);
    assertThat(CaptureDecoder.all()).hasAtLeastOneElementOfType(SiwCaptureDecoder.class);
  }

  private static void assertLast(List<Piece> pieces, Kind kind, String text) {
    List<DecodedUnit> units = Recorded.decode(pieces);
    DecodedUnit last = units.get(units.size() - 1);
    assertThat(last.kind()).isEqualTo(kind);
    assertThat(last.text()).contains(text);
  }
}
