// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.decode.Recorded;
import dev.rpcrdma.siw.decode.Recorded.Piece;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.siw.wire.TerminateMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What kernels have sent is, encoded by us, the same bytes. */
@DisplayName("Recorded streams, encoded again")
final class RecordedBytesTest {

  static final List<String> NAMES = Recorded.NAMES;

  private RecordedSender sender;
  private boolean crc;
  private int compared;

  private static byte[] direction(List<Piece> pieces, boolean fromOpener) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.stream().filter(piece -> piece.fromOpener() == fromOpener)
        .forEach(piece -> all.writeBytes(piece.bytes()));
    return all.toByteArray();
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  @DisplayName("P-001, P-008, P-012, P-016, P-020, P-021: each frame of either direction")
  void sameBytes(String name) {
    for (List<Piece> pieces : Recorded.conversations(name)) {
      byte[] asked = direction(pieces, true);
      byte[] answered = direction(pieces, false);
      MpaFrame request = startup(asked, true);
      MpaFrame reply = startup(answered, false);
      crc = request.crc() || reply.crc();
      for (byte[] bytes : new byte[][] {asked, answered}) {
        sender = new RecordedSender(crc, false);
        fpdus(ByteBuffer.wrap(bytes).position(startupBytes(bytes)));
      }
    }
    assertThat(compared).isGreaterThan(4);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  @DisplayName("P-006: the same streams with markers are decoded to the same segments and messages")
  void withMarkers(String name) {
    for (List<Piece> pieces : Recorded.conversations(name)) {
      List<Piece> plain = Recorded.whole(pieces);
      List<Piece> marked = new ArrayList<>();
      Markers[] markers = {new Markers(), new Markers()};
      byte[] reply = plain.get(1).bytes();
      crc = (plain.get(0).bytes()[16] & 0x40 | reply[16] & 0x40) != 0;
      for (Piece piece : plain) {
        marked.add(new Piece(piece.fromOpener(), marked.size() < 2 ? asking(piece.bytes())
            : marked(piece.bytes(), markers[piece.fromOpener() ? 0 : 1])));
      }
      assertThat(texts(Recorded.cut(marked, 999, new Random(1)))).isEqualTo(texts(plain));
    }
  }

  private static List<String> texts(List<Piece> pieces) {
    return Recorded.decode(pieces).stream().map(unit -> unit.text().replace(", markers", "")
        + unit.payload().hashCode()).toList();
  }

  private static byte[] asking(byte[] startup) {
    byte[] asking = startup.clone();
    asking[16] |= (byte) 0x80;
    return asking;
  }

  private byte[] marked(byte[] fpdus, Markers markers) {
    ByteBuffer in = ByteBuffer.wrap(fpdus);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (in.hasRemaining()) {
      int bytes = Fpdu.bytes(in.getShort(in.position()) & 0xFFFF);
      ByteBuffer out = ByteBuffer.allocate(2 * bytes + 8);
      out.put(0, in, in.position(), bytes);
      in.position(in.position() + bytes);
      int total = markers.insert(out, 0, bytes);
      markers.advance(total);
      CRC32C sum = new CRC32C();
      sum.update(out.array(), 0, total - Fpdu.CRC_BYTES);
      out.putInt(total - Fpdu.CRC_BYTES, crc ? Integer.reverseBytes((int) sum.getValue()) : 0);
      all.write(out.array(), 0, total);
    }
    return all.toByteArray();
  }

  private static int startupBytes(byte[] bytes) {
    return MpaFrame.HEADER_BYTES + MpaFrame.privateDataLength(bytes);
  }

  private static MpaFrame startup(byte[] bytes, boolean request) {
    byte[] recorded = Arrays.copyOf(bytes, startupBytes(bytes));
    MpaFrame frame = MpaFrame.parse(recorded, request);
    assertThat(frame.encode()).isEqualTo(recorded);
    return frame;
  }

  private void fpdus(ByteBuffer stream) {
    List<ByteBuffer> message = new ArrayList<>();
    ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    while (stream.hasRemaining()) {
      int length = stream.getShort(stream.position()) & 0xFFFF;
      byte[] fpdu = new byte[Fpdu.bytes(length)];
      stream.get(fpdu);
      ByteBuffer ulpdu = ByteBuffer.wrap(fpdu, Fpdu.LENGTH_BYTES, length).slice();
      int opcode = DdpHeader.opcode(ulpdu, 0);
      if (opcode == RdmapOpcode.READ_REQUEST) {
        readRequest(ulpdu, fpdu);
      } else if (opcode == RdmapOpcode.TERMINATE) {
        terminate(ulpdu);
      } else {
        message.add(ulpdu);
        recorded.writeBytes(fpdu);
        if (DdpHeader.isLast(ulpdu, 0)) {
          assertThat(sender.send(message)).isEqualTo(recorded.toByteArray());
          compared += message.size();
          message.clear();
          recorded.reset();
        }
      }
    }
    assertThat(message).isEmpty();
  }

  /** Our sink tags are random, so the header is compared and not what the stream would make. */
  private void readRequest(ByteBuffer ulpdu, byte[] fpdu) {
    int at = DdpHeader.UNTAGGED_BYTES;
    ByteBuffer out = ByteBuffer.allocate(at + ReadRequestHeader.BYTES);
    DdpHeader.putUntagged(out, RdmapOpcode.READ_REQUEST, true, 0, DdpHeader.READ_REQUEST_QUEUE,
        DdpHeader.messageSequenceNumber(ulpdu, 0), 0);
    ReadRequestHeader.put(out, ReadRequestHeader.sinkTag(ulpdu, at),
        ReadRequestHeader.sinkOffset(ulpdu, at), (int) ReadRequestHeader.size(ulpdu, at),
        ReadRequestHeader.sourceTag(ulpdu, at), ReadRequestHeader.sourceOffset(ulpdu, at));
    byte[] framed = Fpdus.frame(out.array());
    if (!crc) {
      ByteBuffer.wrap(framed).putInt(framed.length - Fpdu.CRC_BYTES, 0);
    }
    assertThat(framed).isEqualTo(fpdu);
    compared++;
  }

  /** All but the word that Linux siw swaps on a little-endian machine. */
  private void terminate(ByteBuffer ulpdu) {
    int at = DdpHeader.UNTAGGED_BYTES;
    int word = ulpdu.getInt(at);
    TerminateMessage message = TerminateMessage.parse(word);
    TerminateCode code = Stream.of(TerminateCode.values()).filter(each ->
        each.layer() == message.layer() && each.type() == message.type()
            && each.code() == message.code()).findFirst().orElseThrow();
    byte[] shown = new byte[ulpdu.limit() - at - TerminateMessage.CONTROL_BYTES - 2];
    ulpdu.get(at + TerminateMessage.CONTROL_BYTES + 2, shown, 0,
        Math.min(shown.length, ulpdu.limit() - at - TerminateMessage.CONTROL_BYTES - 2));
    ByteBuffer out = ByteBuffer.allocate(ulpdu.limit());
    DdpHeader.putUntagged(out, RdmapOpcode.TERMINATE, true, 0, DdpHeader.TERMINATE_QUEUE, 1, 0);
    TerminateMessage.put(out, code, ulpdu.getShort(at + TerminateMessage.CONTROL_BYTES), shown);
    int ours = out.getInt(at);
    int swapped = (ours >>> 24 & 0xF) << 28 | (ours >>> 28) << 24 | ours & 0xFF0000
        | (ours >>> 15 & 1 | (ours >>> 14 & 1) << 1 | (ours >>> 13 & 1) << 2) << 8;
    assertThat(swapped).isEqualTo(word);
    out.putInt(at, word);
    assertThat(out.array()).isEqualTo(Arrays.copyOfRange(ulpdu.array(), ulpdu.arrayOffset(),
        ulpdu.arrayOffset() + ulpdu.limit()));
    compared++;
  }
}
