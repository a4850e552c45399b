package dev.rpcrdma.verbs.capture;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * One connection in a capture: a TCP handshake when it begins, its bytes in segments as they are
 * told, and both FINs when it ends. Confined to one thread at a time.
 */
public final class CapturedStream {

  /** The most payload of one packet; of more that is told at once, several packets are made. */
  public static final int MAX_PACKET_BYTES = TcpPacket.MAX_PAYLOAD;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Room for the headers of IPv6 and TCP and the longest payload. */
  private static final int PACKET_BYTES = 60 + MAX_PACKET_BYTES;

  private final Capture capture;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final boolean writes;
  private final TcpPacket outgoing;
  private final TcpPacket incoming;
  private final ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
  private int sent;
  private int received;
  private boolean closed;

  CapturedStream(Capture capture, boolean initiator, InetSocketAddress local,
      InetSocketAddress remote) {
    this.capture = capture;
    this.local = local;
    this.remote = remote;
    this.writes = capture.begin(local, remote);
    this.outgoing = new TcpPacket(local, remote);
    this.incoming = new TcpPacket(remote, local);
    // The initial sequence numbers are free; the SYN takes one.
    write(initiator, 0, 0, TcpPacket.SYN, NOTHING);
    write(!initiator, 0, 1, TcpPacket.SYN | TcpPacket.ACK, NOTHING);
    sent = 1;
    received = 1;
    write(initiator, 1, 1, TcpPacket.ACK, NOTHING);
  }

  /**
   * Bytes were sent.
   *
   * @param bytes from position to limit, which stay
   */
  public void sent(ByteBuffer bytes) {
    sent = segments(true, bytes.duplicate(), sent, received);
  }

  /**
   * Bytes were received.
   *
   * @param bytes from position to limit, which stay
   */
  public void received(ByteBuffer bytes) {
    received = segments(false, bytes.duplicate(), received, sent);
  }

  /** The connection has ended. Idempotent. */
  public void close() {
    if (!closed) {
      closed = true;
      if (writes) {
        capture.end(local, remote);
      }
      write(true, sent, received, TcpPacket.FIN | TcpPacket.ACK, NOTHING);
      write(false, received, sent + 1, TcpPacket.FIN | TcpPacket.ACK, NOTHING);
      write(true, sent + 1, received + 1, TcpPacket.ACK, NOTHING);
    }
  }

  private int segments(boolean out, ByteBuffer bytes, int sequence, int acknowledgment) {
    int total = bytes.remaining();
    int from = bytes.position();
    for (int done = 0; writes && done < total; done += MAX_PACKET_BYTES) {
      int length = Math.min(MAX_PACKET_BYTES, total - done);
      bytes.limit(from + done + length).position(from + done);
      write(out, sequence + done, acknowledgment, TcpPacket.PSH | TcpPacket.ACK, bytes);
    }
    return sequence + total;
  }

  private void write(boolean out, int sequence, int acknowledgment, int flags, ByteBuffer payload) {
    if (!writes) {
      return;
    }
    (out ? outgoing : incoming).put(packet, sequence, acknowledgment, flags, payload);
    capture.write(packet);
  }
}
