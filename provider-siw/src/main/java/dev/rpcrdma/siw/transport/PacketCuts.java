// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Cuts one direction of a connection into the packets of a capture, so that tshark finds each frame
 * of MPA: all bytes, in order, as soon as may be.
 *
 * <p>tshark 4.0 guesses anew what a packet holds, and also what it holds behind an FPDU that began
 * in an earlier one. It does not take less for a frame of MPA than the smallest there is, passes it
 * over, and decodes whatever follows from a wrong place on. Hence no packet ends that early in a
 * frame. Such a beginning waits for the bytes behind it; until then nobody can answer it.
 *
 * <p>Markers are not looked for: where there are any, tshark takes each packet for one FPDU.
 */
final class PacketCuts {

  /** The smallest frame of startup (RFC 5044 §7.1.1). */
  private static final int SMALLEST_STARTUP = MpaFrame.HEADER_BYTES;

  /** The smallest FPDU, whose ULPDU is empty (RFC 5044 §4.1). */
  private static final int SMALLEST_FPDU = Fpdu.bytes(0);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Consumer<ByteBuffer> packets;
  private ByteBuffer waiting = NOTHING;
  private boolean started;
  /** Bytes of the last frame that are yet to come. */
  private int remainder;

  /**
   * Creates it for a connection that begins.
   *
   * @param packets takes what one packet holds, from position to limit, during the call
   */
  PacketCuts(Consumer<ByteBuffer> packets) {
    this.packets = packets;
  }

  /**
   * Takes the next bytes.
   *
   * @param bytes from position to limit, which stay
   */
  void take(ByteBuffer bytes) {
    ByteBuffer in = joined(bytes);
    for (int end = end(in); end > in.position(); end = end(in)) {
      packets.accept(in.duplicate().limit(end));
      in.position(end);
    }
    waiting = in.hasRemaining() ? copy(in, in.remaining()).flip() : NOTHING;
  }

  /** Tells whether the last frame has begun, and is not complete. */
  boolean isMidFrame() {
    return waiting.hasRemaining() || remainder > 0;
  }

  /** Nothing follows, so nothing waits. */
  void end() {
    if (waiting.hasRemaining()) {
      packets.accept(waiting);
      waiting = NOTHING;
    }
  }

  private ByteBuffer joined(ByteBuffer bytes) {
    return waiting.hasRemaining()
        ? copy(waiting, waiting.remaining() + bytes.remaining()).put(bytes.duplicate()).flip()
        : bytes.duplicate();
  }

  private static ByteBuffer copy(ByteBuffer bytes, int size) {
    return ByteBuffer.allocate(size).put(bytes.duplicate());
  }

  /** Where the packet ends that begins at the position; there, if all has to wait. */
  private int end(ByteBuffer in) {
    int to = in.position() + Math.min(in.remaining(), CapturedStream.MAX_PACKET_BYTES);
    int at = in.position() + Math.min(remainder, to - in.position());
    remainder -= at - in.position();
    while (at < to) {
      if (to - at < (started ? SMALLEST_FPDU : SMALLEST_STARTUP)) {
        return at;
      }
      int end = at + (started ? Fpdu.bytes(in.getShort(at) & 0xFFFF)
          : MpaFrame.HEADER_BYTES + MpaFrame.privateDataLength(in, at));
      started = true;
      remainder = Math.max(0, end - to);
      at = Math.min(end, to);
    }
    return to;
  }
}
