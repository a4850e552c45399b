// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A capture in the format pcap, of Ethernet, IPv4 and TCP with no option but time stamps, whose frames are changed. */
final class FrameChanger {

  /** Where the payload of TCP begins in a frame. */
  private static final int PAYLOAD = 66;

  private static final int FILE_HEADER = 24;
  private static final int FRAME_HEADER = 16;
  private static final int ETHERNET_TYPE = 12;
  private static final int SEQUENCE = 38;

  private final byte[] header;
  private final List<byte[]> frames = new ArrayList<>();

  FrameChanger(Path capture) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(capture)).order(ByteOrder.LITTLE_ENDIAN);
    header = new byte[FILE_HEADER];
    file.get(header);
    while (file.hasRemaining()) {
      byte[] frame = new byte[FRAME_HEADER + file.getInt(file.position() + 8)];
      file.get(frame);
      frames.add(frame);
    }
  }

  /** Changes a bit of a byte of the payload of TCP; one of a negative number is counted from the end. */
  FrameChanger flip(int number, int at) {
    byte[] frame = frames.get(number - 1);
    frame[at < 0 ? frame.length + at : FRAME_HEADER + PAYLOAD + at] ^= 1;
    return this;
  }

  /** Changes bits of payloads of TCP. */
  FrameChanger flipAtRandom(long seed, int bits) {
    Random random = new Random(seed);
    for (int i = 0; i < bits; i++) {
      byte[] frame = frames.get(random.nextInt(frames.size()));
      int length = frame.length - FRAME_HEADER - PAYLOAD;
      if (length > 0) {
        frame[FRAME_HEADER + PAYLOAD + random.nextInt(length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      }
    }
    return this;
  }

  /** The number of four bytes at a place of the payload of TCP. */
  int number(int frame, int at) {
    return ByteBuffer.wrap(frames.get(frame - 1)).getInt(FRAME_HEADER + PAYLOAD + at);
  }

  /** Makes something else of a frame, as if it had not been captured. */
  FrameChanger lose(int number) {
    frames.get(number - 1)[FRAME_HEADER + ETHERNET_TYPE] = 0;
    return this;
  }

  /** Takes frames away, all from a number on. */
  FrameChanger cut(int number) {
    frames.subList(number - 1, frames.size()).clear();
    return this;
  }

  /** Gives a frame that comes last: the payload of another one, behind what has come so far in its direction. */
  FrameChanger again(int number, int lastOfDirection, int at, byte[] change) {
    byte[] last = frames.get(lastOfDirection - 1);
    byte[] copy = frames.get(number - 1).clone();
    int next = ByteBuffer.wrap(last).getInt(FRAME_HEADER + SEQUENCE) + last.length - FRAME_HEADER - PAYLOAD;
    ByteBuffer.wrap(copy).putInt(FRAME_HEADER + SEQUENCE, next);
    System.arraycopy(change, 0, copy, FRAME_HEADER + PAYLOAD + at, change.length);
    frames.add(copy);
    return this;
  }

  Path write(Path file) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(header.length + frames.stream().mapToInt(frame -> frame.length).sum());
    all.put(header);
    frames.forEach(all::put);
    return Files.write(file, all.array());
  }
}
