// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Segments of one connection, made by hand, and captures of them. */
abstract class SegmentBed {

  static final int RAW = 101;
  static final int MICROSECONDS = 0xA1B2C3D4;
  static final int FIN = Packets.FIN | Packets.ACK;
  static final int SYN_ACK = Packets.SYN | Packets.ACK;
  static final int RST = 4;

  final InetSocketAddress client = address("10.0.0.1", 1111);
  final InetSocketAddress server = address("10.0.0.2", 2222);
  final Packets toServer = new Packets(client, server);
  final Packets toClient = new Packets(server, client);

  static InetSocketAddress address(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static byte[] packet(Packets direction, int sequence, int flags, String payload) {
    return packet(direction, sequence, 0, flags, payload);
  }

  static byte[] packet(Packets direction, int sequence, int acknowledgment, int flags, String payload) {
    ByteBuffer out = ByteBuffer.allocate(3000);
    direction.put(out, sequence, acknowledgment, flags, ByteBuffer.wrap(payload.getBytes(StandardCharsets.US_ASCII)));
    return Arrays.copyOf(out.array(), out.limit());
  }

  byte[] syn(int sequence) {
    return up(sequence, Packets.SYN, "");
  }

  byte[] data(int sequence, String payload) {
    return up(sequence, Packets.ACK, payload);
  }

  byte[] up(int sequence, int flags, String payload) {
    return packet(toServer, sequence, flags, payload);
  }

  byte[] down(int sequence, int flags, String payload) {
    return packet(toClient, sequence, flags, payload);
  }

  /** Returns all that is told of a capture of these frames. */
  static String told(byte[]... frames) throws IOException {
    return Telling.of(CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, RAW, List.of(frames)));
  }
}
