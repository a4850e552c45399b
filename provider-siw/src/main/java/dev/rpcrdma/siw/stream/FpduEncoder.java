// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.TerminateMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Frames prepared segments (RFC 5044 §4): all in one buffer, or head and tail around a payload that
 * goes out from where it is. With markers it is always all in one buffer.
 */
public final class FpduEncoder {

  private final boolean useCrc;
  private final Markers markers;
  private final CRC32C crc = new CRC32C();

  /**
   * Creates an encoder.
   *
   * @param useCrc whether CRCs are made; if not, their field is zero
   * @param useMarkers whether the peer wants markers
   */
  public FpduEncoder(boolean useCrc, boolean useMarkers) {
    this.useCrc = useCrc;
    this.markers = useMarkers ? new Markers() : null;
  }

  /**
   * Whether payloads cannot leave from where they are, since markers go in between.
   *
   * @return true if only {@link #copy} may be used
   */
  public boolean mustCopy() {
    return markers != null;
  }

  /**
   * The size of the prepared segment's FPDU.
   *
   * @param segment prepared
   * @return bytes, markers included
   */
  public int bytes(OutboundStream segment) {
    int bytes = Fpdu.bytes(segment.headerBytes() + segment.payloadLength());
    return markers == null ? bytes : bytes + markers.count(bytes) * Markers.BYTES;
  }

  /**
   * The room that {@link #head} and {@link #tail} need in their buffer.
   *
   * @param segment prepared
   * @return bytes
   */
  public static int bytesAround(OutboundStream segment) {
    return Fpdu.bytes(segment.headerBytes() + segment.payloadLength()) - segment.payloadLength();
  }

  /**
   * Appends the whole FPDU, with a copy of the payload, and commits the segment. The CRC is
   * computed over the copy, so that it holds whatever happens to the original.
   *
   * @param segment prepared
   * @param out where to, at its position; has room for {@link #bytes}
   * @throws InternalError if the payload is a mapped file that has been truncated; nothing is
   *     appended
   */
  public void copy(OutboundStream segment, ByteBuffer out) {
    int start = out.position();
    int length = segment.payloadLength();
    int payloadAt = start + Fpdu.LENGTH_BYTES + segment.headerBytes();
    if (length > 0) {
      segment.payload().copyTo(segment.payloadIndex(), length, out, payloadAt);
    }
    putHead(segment, out);
    out.position(payloadAt + length);
    finish(out, start, segment.headerBytes() + length);
    segment.commit();
  }

  /** Appends pad and CRC to an FPDU that began at an index, and puts its markers in. */
  private void finish(ByteBuffer out, int start, int ulpduLength) {
    putPad(out, ulpduLength);
    if (markers != null) {
      int bytes = markers.insert(out, start, Fpdu.bytes(ulpduLength));
      markers.advance(bytes);
      out.position(start + bytes - Fpdu.CRC_BYTES);
    }
    crc.reset();
    update(out, start, out.position());
    putCrc(out);
  }

  /**
   * Appends what goes before the payload, and starts the CRC.
   *
   * @param segment prepared
   * @param out where to, at its position
   */
  public void head(OutboundStream segment, ByteBuffer out) {
    int start = out.position();
    putHead(segment, out);
    crc.reset();
    update(out, start, out.position());
  }

  /**
   * Appends what goes behind the payload, and commits the segment.
   *
   * @param segment prepared, its head encoded
   * @param payload a view of exactly the payload; its position moves to its limit
   * @param out where to, at its position
   */
  public void tail(OutboundStream segment, ByteBuffer payload, ByteBuffer out) {
    if (useCrc) {
      crc.update(payload);
    }
    int start = out.position();
    putPad(out, segment.headerBytes() + segment.payloadLength());
    update(out, start, out.position());
    putCrc(out);
    segment.commit();
  }

  /**
   * The FPDU of a Terminate on a stream that never came up.
   *
   * @param agreement whose refusal is told
   * @return its bytes
   */
  public static byte[] terminate(MpaAgreement agreement) {
    int length = DdpHeader.UNTAGGED_BYTES + TerminateMessage.CONTROL_BYTES;
    ByteBuffer out = ByteBuffer.allocate(Fpdu.bytes(length) + Markers.BYTES);
    out.putShort((short) length);
    DdpHeader.putUntagged(out, RdmapOpcode.TERMINATE, true, 0, DdpHeader.TERMINATE_QUEUE, 1, 0);
    TerminateMessage.put(out, agreement.refusal().orElseThrow(), 0, new byte[0]);
    new FpduEncoder(agreement.crc(), agreement.markersSent()).finish(out, 0, length);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void putHead(OutboundStream segment, ByteBuffer out) {
    out.putShort((short) (segment.headerBytes() + segment.payloadLength()));
    segment.putHeader(out);
  }

  private static void putPad(ByteBuffer out, int ulpduLength) {
    for (int i = Fpdu.pad(ulpduLength); i > 0; i--) {
      out.put((byte) 0);
    }
  }

  private void update(ByteBuffer out, int from, int to) {
    if (useCrc) {
      int limit = out.limit();
      out.limit(to).position(from);
      crc.update(out);
      out.limit(limit);
    }
  }

  /** RFC 5044 §4.4: the CRC's bytes go out least significant first. */
  private void putCrc(ByteBuffer out) {
    out.putInt(useCrc ? Integer.reverseBytes((int) crc.getValue()) : 0);
  }
}
