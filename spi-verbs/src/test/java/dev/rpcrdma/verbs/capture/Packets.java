// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Packets of one direction, as the writer of captures makes them, for tests of what reads them. */
public final class Packets {

  public static final int FIN = TcpPacket.FIN;
  public static final int SYN = TcpPacket.SYN;
  public static final int PSH = TcpPacket.PSH;
  public static final int ACK = TcpPacket.ACK;

  private final TcpPacket packets;

  public Packets(InetSocketAddress from, InetSocketAddress to) {
    packets = new TcpPacket(from, to);
  }

  public void put(ByteBuffer out, int sequence, int acknowledgment, int flags, ByteBuffer payload) {
    packets.put(out, sequence, acknowledgment, flags, payload);
  }
}
