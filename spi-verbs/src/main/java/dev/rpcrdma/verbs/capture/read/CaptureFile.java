// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads captures in the formats pcap and pcapng, of either byte order, and puts their TCP streams
 * together: over IPv4 and IPv6, from Ethernet, Linux cooked, raw IP and loopback frames, whatever
 * was sent again, overlaps or came out of order.
 */
public final class CaptureFile {

  private CaptureFile() {}

  /**
   * Reads a file from beginning to end.
   *
   * @param file a capture
   * @param handler told of what is in it
   * @throws CaptureFormatException if it is no capture, is truncated or damaged; what came before
   *     has been told
   * @throws IOException if it cannot be read
   */
  public static void read(Path file, ConversationHandler handler) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      read(in, handler);
    }
  }

  /**
   * Reads a capture from beginning to end.
   *
   * @param in its bytes; not closed
   * @param handler told of what is in it
   * @throws CaptureFormatException if it is no capture, is truncated or damaged; what came before
   *     has been told
   * @throws IOException if it cannot be read
   */
  public static void read(InputStream in, ConversationHandler handler) throws IOException {
    TcpAssembler assembler = new TcpAssembler(handler);
    PacketReader reader = PacketReader.of(in);
    try {
      for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
        TcpSegment segment = TcpSegment.of(packet);
        if (segment != null) {
          assembler.segment(segment);
        }
      }
    } finally {
      assembler.end();
    }
  }
}
