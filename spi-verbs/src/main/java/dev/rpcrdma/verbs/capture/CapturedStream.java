// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * One connection in a capture: a TCP handshake when it begins, its bytes in segments as they are
 * told, an acknowledgment where one direction runs far ahead, and when it ends both FINs, or a RST. Confined to one thread
 * at a time.
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
  private final Side here;
  private final Side there;
  private final ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
  private boolean closed;

  CapturedStream(Capture capture, boolean initiator, InetSocketAddress local,
      InetSocketAddress remote) {
    this.capture = capture;
    this.local = local;
    this.remote = remote;
    this.writes = capture.begin(local, remote);
    this.here = new Side(new TcpPacket(local, remote));
    this.there = new Side(new TcpPacket(remote, local));
    Side opener = initiator ? here : there;
    Side other = initiator ? there : here;
    write(opener, other, TcpPacket.SYN, NOTHING);
    write(other, opener, TcpPacket.SYN | TcpPacket.ACK, NOTHING);
    write(opener, other, TcpPacket.ACK, NOTHING);
  }

  /**
   * Bytes were sent.
   *
   * @param bytes from position to limit, which stay
   */
  public void sent(ByteBuffer bytes) {
    writeAll(here, there, bytes);
  }

  /**
   * Bytes were received.
   *
   * @param bytes from position to limit, which stay
   */
  public void received(ByteBuffer bytes) {
    writeAll(there, here, bytes);
  }

  /** The connection has ended. Idempotent. */
  public void close() {
    if (end()) {
      write(here, there, TcpPacket.FIN | TcpPacket.ACK, NOTHING);
      write(there, here, TcpPacket.FIN | TcpPacket.ACK, NOTHING);
      write(here, there, TcpPacket.ACK, NOTHING);
    }
  }

  /**
   * The connection was broken off while something was on its way: a RST takes the place of the FINs, as these would say
   * that all has come that was sent. Idempotent.
   */
  public void reset() {
    if (end()) {
      write(here, there, TcpPacket.RST | TcpPacket.ACK, NOTHING);
    }
  }

  private boolean end() {
    boolean first = !closed;
    closed = true;
    if (first && writes) {
      capture.end(local, remote);
    }
    return first;
  }

  private void writeAll(Side from, Side to, ByteBuffer bytes) {
    int end = bytes.limit();
    for (int at = bytes.position(); writes && at < end; at += MAX_PACKET_BYTES) {
      ByteBuffer payload = bytes.duplicate().limit(Math.min(end, at + MAX_PACKET_BYTES)).position(at);
      // A decoder would speak of a full window as of a fault.
      if (from.next + payload.remaining() - to.acknowledged >= to.window) {
        write(to, from, TcpPacket.ACK, NOTHING);
      }
      write(from, to, TcpPacket.PSH | TcpPacket.ACK, payload);
    }
  }

  private void write(Side from, Side to, int flags, ByteBuffer payload) {
    if (!writes) {
      return;
    }
    from.packets.put(packet, from.next, to.next, flags, payload);
    capture.write(packet);
    from.next += payload.remaining() + ((flags & (TcpPacket.SYN | TcpPacket.FIN)) == 0 ? 0 : 1);
    from.acknowledged = to.next;
    from.window = TcpPacket.window(flags);
  }

  /** One end of the connection. */
  private static final class Side {

    final TcpPacket packets;
    /** Sequence number of its next byte; the first is free, SYN and FIN take one each. */
    int next;
    /** What its last packet has acknowledged. */
    int acknowledged;
    /** How much more than that it has allowed. */
    int window;

    Side(TcpPacket packets) {
      this.packets = packets;
    }
  }
}
