// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The TCP streams that were recorded between Linux kernels. */
public final class Recorded {

  /** The captures by name. */
  public static final List<String> NAMES =
      List.of("rping", "rping-crc", "rping-p2p", "rpingterm", "nfs3", "nfs41");

  /** Bytes of one direction, as one frame brought them. */
  public record Piece(boolean fromOpener, byte[] bytes) {}

  private Recorded() {}

  /** The connections of a capture, each with its pieces in the order of their frames. */
  public static List<List<Piece>> conversations(String name) {
    try (InputStream in = Recorded.class.getResourceAsStream("/captures/" + name + ".pcap")) {
      return conversations(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The connections of any capture that misses nothing. */
  public static List<List<Piece>> conversations(InputStream in) throws IOException {
    Map<Conversation, List<Piece>> pieces = new LinkedHashMap<>();
    CaptureFile.read(in, new ConversationHandler() {
      @Override
      public void opened(Conversation conversation) {
        pieces.put(conversation, new ArrayList<>());
      }

      @Override
      public void bytes(Conversation conversation, long frame, boolean fromOpener,
          ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        pieces.get(conversation).add(new Piece(fromOpener, copy));
      }

      @Override
      public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
        throw new IllegalStateException("A gap before frame " + frame);
      }

      @Override
      public void ended(Conversation conversation) {}
    });
    return List.copyOf(pieces.values());
  }

  /** Neighbouring pieces of one direction as one. */
  public static List<Piece> whole(List<Piece> pieces) {
    List<Piece> joined = new ArrayList<>();
    for (Piece piece : pieces) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).fromOpener() == piece.fromOpener()) {
        byte[] before = joined.get(last).bytes();
        byte[] both = java.util.Arrays.copyOf(before, before.length + piece.bytes().length);
        System.arraycopy(piece.bytes(), 0, both, before.length, piece.bytes().length);
        joined.set(last, new Piece(piece.fromOpener(), both));
      } else {
        joined.add(piece);
      }
    }
    return joined;
  }

  /** The same bytes in pieces of other sizes. */
  public static List<Piece> cut(List<Piece> pieces, int most, Random random) {
    List<Piece> cut = new ArrayList<>();
    for (Piece piece : whole(pieces)) {
      for (int at = 0; at < piece.bytes().length; ) {
        int size = Math.min(piece.bytes().length - at, 1 + random.nextInt(most));
        cut.add(new Piece(piece.fromOpener(),
            java.util.Arrays.copyOfRange(piece.bytes(), at, at + size)));
        at += size;
      }
    }
    return cut;
  }

  /** What the decoder finds. */
  public static List<DecodedUnit> decode(List<Piece> pieces) {
    List<DecodedUnit> found = new ArrayList<>();
    StreamDecoder decoder = new SiwCaptureDecoder().stream(found::add);
    long frame = 0;
    for (Piece piece : pieces) {
      decoder.bytes(++frame, piece.fromOpener(), ByteBuffer.wrap(piece.bytes()));
    }
    return found;
  }
}
