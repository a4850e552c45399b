// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.siw.FuzzInput;
import dev.rpcrdma.siw.decode.Recorded.Piece;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The decoder of captured streams against any bytes in both directions: it throws nothing, tells one
 * fault at most and nothing behind it, keeps no more than what came, and finds the same in single
 * bytes.
 *
 * <p>An input is a list of pieces: direction, length, bytes.
 */
@DisplayName("Captured streams, fuzzed")
@Tag("slow")
final class StreamDecoderFuzzTest {

  /** The beginnings of all recordings, in pieces whose lengths fit into a byte. */
  static Stream<byte[]> seeds() {
    return Recorded.NAMES.stream().flatMap(name -> Recorded.conversations(name).stream())
        .map(pieces -> encoded(Recorded.cut(pieces, 255, new Random(1)).stream().limit(30)));
  }

  private static byte[] encoded(Stream<Piece> pieces) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    pieces.forEach(piece -> {
      out.write(piece.fromOpener() ? 1 : 0);
      out.write(piece.bytes().length);
      out.writeBytes(piece.bytes());
    });
    return out.toByteArray();
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("P-001, P-008, P-012, P-013: any bytes, both ways")
  void decode(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    List<Piece> pieces = new ArrayList<>();
    while (input.hasMore()) {
      pieces.add(new Piece(input.flag(), input.data(input.choice(256))));
    }
    List<DecodedUnit> units = Recorded.decode(pieces);
    long size = 0;
    for (int i = 0; i < units.size(); i++) {
      DecodedUnit unit = units.get(i);
      boolean end = unit.kind() == Kind.FAULT || unit.kind() == Kind.FOREIGN;
      assertThat(end && i < units.size() - 1).as("%s is not the end", unit.text()).isFalse();
      size += unit.payload().remaining();
    }
    assertThat(size).isLessThanOrEqualTo(bytes.length);
    assertThat(units.size()).isLessThanOrEqualTo(bytes.length);
    assertThat(told(Recorded.decode(Recorded.cut(pieces, 1, new Random(0)))))
        .isEqualTo(told(units));
  }

  /** All but the frame numbers and what a fault says, which may depend on how much was there. */
  private static List<String> told(List<DecodedUnit> units) {
    return units.stream().map(unit -> unit.kind() + " " + unit.fromOpener() + " "
        + (unit.kind() == Kind.FAULT ? "" : unit.text() + " " + unit.payload().hashCode()))
        .collect(Collectors.toList());
  }
}
