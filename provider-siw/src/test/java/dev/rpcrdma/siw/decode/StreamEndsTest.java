// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.decode.Recorded.Piece;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that their senders end at any place. */
@DisplayName("Ends of recorded streams")
final class StreamEndsTest {

  private static final int MOST_BYTES = 600;

  private final List<DecodedUnit> found = new ArrayList<>();
  private final StreamDecoder decoder = new SiwCaptureDecoder().stream(found::add);

  private static List<Piece> bytes(String name) {
    List<Piece> single = new ArrayList<>();
    for (Piece piece : Recorded.conversations(name).get(0)) {
      for (byte each : piece.bytes()) {
        single.add(new Piece(piece.fromOpener(), new byte[] {each}));
      }
    }
    return single;
  }

  private void take(List<Piece> pieces) {
    pieces.forEach(piece -> decoder.bytes(1, piece.fromOpener(), ByteBuffer.wrap(piece.bytes())));
  }

  private List<String> faults() {
    return found.stream().filter(unit -> unit.kind() == Kind.FAULT)
        .map(unit -> unit.frame() + " " + unit.fromOpener() + " " + unit.text()).toList();
  }

  /** Tells what is found if a stream is ended behind so many bytes, by who has sent the last one. */
  private static List<String> faultsBehind(List<Piece> bytes, int count) {
    StreamEndsTest cut = new StreamEndsTest();
    cut.take(bytes.subList(0, count));
    cut.decoder.finished(7, bytes.get(count - 1).fromOpener());
    return cut.faults();
  }

  /** Fails if a branch of {@code IwarpStream.finished} is left out, or asks the other direction. */
  @ParameterizedTest
  @ValueSource(strings = {"rping-crc", "rpingterm"})
  @DisplayName("A stream that ends between frames is well formed, and one that ends within a frame is not")
  void anywhere(String name) {
    List<Piece> bytes = bytes(name);
    String frame = "the MPA Request";
    int begun = 0;
    for (int count = 1; count <= Math.min(MOST_BYTES, bytes.size()); count++) {
      boolean opener = bytes.get(count - 1).fromOpener();
      int units = found.size();
      take(bytes.subList(count - 1, count));
      boolean complete = found.size() > units;
      // Without its key it may be of another protocol.
      boolean known = frame.equals("an FPDU") || count - begun >= MpaFrame.KEY_BYTES;
      assertThat(faultsBehind(bytes, count)).as("behind byte %d", count)
          .isEqualTo(complete || !known ? List.of() : List.of("7 " + opener + " The stream ends within " + frame));
      if (complete) {
        begun = count;
        frame = frame.equals("the MPA Request") ? "the MPA Reply" : "an FPDU";
      }
    }
  }

  @Test
  @DisplayName("An end that has sent all is not blamed for what the other one has not")
  void otherDirection() {
    List<Piece> bytes = bytes("rping-crc");
    for (int count : new int[] {17, 40, 41, 60, 70, 100}) {
      StreamEndsTest cut = new StreamEndsTest();
      cut.take(bytes.subList(0, count));
      cut.decoder.finished(7, !bytes.get(count - 1).fromOpener());
      assertThat(cut.faults()).as("behind byte %d", count).isEmpty();
    }
  }

  /** Fails if {@code IwarpStream.finished} asks the wrong end, or none, for a Terminate. */
  @Test
  @DisplayName("Whom a Terminate has told to stop may stop within an FPDU; who has sent it may not")
  void terminated() {
    List<Piece> bytes = bytes("rpingterm");
    take(bytes);
    assertThat(faults()).isEmpty();
    DecodedUnit last = found.get(found.size() - 1);
    assertThat(last.text()).contains("Terminate");
    decoder.bytes(8, !last.fromOpener(), ByteBuffer.wrap(Arrays.copyOf(new byte[] {0, 40}, 9)));
    decoder.finished(9, !last.fromOpener());
    assertThat(faults()).isEmpty();
  }

  /** Fails if {@code IwarpStream.endsWithin} goes on. */
  @Test
  @DisplayName("A stream whose end was wrong is told of once")
  void once() {
    List<Piece> bytes = bytes("rping-crc");
    take(bytes.subList(0, MpaFrame.KEY_BYTES + 1));
    decoder.finished(7, bytes.get(0).fromOpener());
    decoder.finished(8, bytes.get(0).fromOpener());
    assertThat(faults()).hasSize(1);
  }
}
