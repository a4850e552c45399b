// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets that a connection becomes, each as: sender's port, flags, sequence, acknowledgment, length. */
@DisplayName("Connections in captures")
final class CapturedStreamTest {

  private static final int MAX = CapturedStream.MAX_PACKET_BYTES;
  private static final int FIRST_WINDOW = 0xFFFF;

  private final InetSocketAddress here = new InetSocketAddress("127.0.0.1", 1);
  private final InetSocketAddress there = new InetSocketAddress("127.0.0.1", 2);

  @TempDir
  Path directory;

  private List<String> captured(Consumer<Capture> told) throws IOException {
    Path file = directory.resolve("stream.pcapng");
    try (Capture capture = Capture.open(file)) {
      told.accept(capture);
    }
    return WrittenPackets.texts(file);
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }

  @Test
  @DisplayName("A handshake, the bytes of both directions, and both FINs; it ends once")
  void whole() throws IOException {
    assertThat(captured(capture -> {
      CapturedStream stream = capture.stream(true, here, there);
      stream.sent(bytes(10).position(4).limit(7));
      stream.received(bytes(5));
      stream.sent(bytes(0));
      stream.close();
      stream.close();
    })).containsExactly("1 S 0 0 0", "2 SA 0 1 0", "1 A 1 1 0", "1 PA 1 1 3", "2 PA 1 4 5",
        "1 FA 4 6 0", "2 FA 6 5 0", "1 A 5 7 0");
  }

  /** Fails if {@code CapturedStream.end} says yes twice. */
  @Test
  @DisplayName("One that is broken off ends once, by a reset")
  void brokenOff() throws IOException {
    assertThat(captured(capture -> {
      CapturedStream stream = capture.stream(true, here, there);
      stream.received(bytes(5));
      stream.reset();
      stream.close();
      stream.reset();
    })).containsExactly("1 S 0 0 0", "2 SA 0 1 0", "1 A 1 1 0", "2 PA 1 1 5", "1 RA 1 6 0");
  }

  @Test
  @DisplayName("The other end's SYN comes first where the other end has opened it")
  void accepted() throws IOException {
    assertThat(captured(capture -> capture.stream(false, here, there)))
        .containsExactly("2 S 0 0 0", "1 SA 0 1 0", "2 A 1 1 0");
  }

  @Test
  @DisplayName("What is told at once is cut into packets of the longest payload")
  void cut() throws IOException {
    assertThat(captured(capture -> {
      CapturedStream stream = capture.stream(true, here, there);
      // The other end speaks once: what it allows is no first window any more.
      stream.received(bytes(1));
      stream.sent(bytes(2 * MAX));
      stream.sent(bytes(MAX + 1));
    }).stream().skip(4)).containsExactly("1 PA 1 2 " + MAX, "1 PA " + (1 + MAX) + " 2 " + MAX,
        "1 PA " + (1 + 2 * MAX) + " 2 " + MAX, "1 PA " + (1 + 3 * MAX) + " 2 1");
  }

  /** Fails if {@code CapturedStream.writeAll} compares with {@code >}, or counts what is acknowledged the other way. */
  @Test
  @DisplayName("An acknowledgment comes before the packet that would fill the window, and not earlier")
  void window() throws IOException {
    for (int first : new int[] {FIRST_WINDOW - MAX - 1, FIRST_WINDOW - MAX}) {
      boolean fills = first + MAX == FIRST_WINDOW;
      assertThat(captured(capture -> {
        CapturedStream stream = capture.stream(true, here, there);
        stream.sent(bytes(first));
        stream.sent(bytes(MAX));
      }).stream().skip(4)).containsExactlyElementsOf(
          fills ? List.of("2 A 1 " + (1 + first) + " 0", "1 PA " + (1 + first) + " 1 " + MAX)
              : List.of("1 PA " + (1 + first) + " 1 " + MAX));
    }
  }

  @Test
  @DisplayName("A later window is 128 times as large")
  void laterWindow() throws IOException {
    List<String> packets = captured(capture -> {
      CapturedStream stream = capture.stream(false, here, there);
      stream.sent(bytes((FIRST_WINDOW << 7) + 1));
    });
    List<Integer> acknowledgments = IntStream.range(3, packets.size())
        .filter(i -> packets.get(i).startsWith("2 A ")).boxed().toList();
    assertThat(acknowledgments).as("where the opener acknowledges").containsExactly(3 + (FIRST_WINDOW << 7) / MAX);
  }

  @Test
  @DisplayName("A connection whose ends are both told to one capture is written by the first")
  void bothEnds() throws IOException {
    assertThat(captured(capture -> {
      CapturedStream first = capture.stream(true, here, there);
      CapturedStream second = capture.stream(false, there, here);
      first.sent(bytes(1));
      second.received(bytes(1));
      second.close();
      // The connection has not ended for the stream that writes it.
      capture.stream(false, there, here).sent(bytes(1));
      first.sent(bytes(2));
    })).containsExactly("1 S 0 0 0", "2 SA 0 1 0", "1 A 1 1 0", "1 PA 1 1 1", "1 PA 2 1 2");
  }

  @Test
  @DisplayName("The same end told twice is written once, until the first stream of it ends")
  void sameEnd() throws IOException {
    List<String> handshake = List.of("1 S 0 0 0", "2 SA 0 1 0", "1 A 1 1 0");
    assertThat(captured(capture -> {
      CapturedStream first = capture.stream(true, here, there);
      capture.stream(true, here, there).close();
      capture.stream(true, here, there);
      first.close();
      capture.stream(true, here, there);
    })).containsExactlyElementsOf(Stream.of(handshake, List.of("1 FA 1 1 0", "2 FA 1 2 0", "1 A 2 2 0"), handshake)
        .flatMap(List::stream).toList());
  }
}
