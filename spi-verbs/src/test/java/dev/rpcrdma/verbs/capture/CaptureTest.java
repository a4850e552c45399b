// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rpcrdma.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files of captures: their times, and what cannot be written. */
@DisplayName("Capture files")
final class CaptureTest {

  private final InetSocketAddress here = new InetSocketAddress("127.0.0.1", 1);
  private final InetSocketAddress there = new InetSocketAddress("127.0.0.1", 2);

  @TempDir
  Path directory;

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  @Test
  @DisplayName("Each packet has the time when it was told; what is told behind the end is ignored")
  void times() throws IOException {
    Path file = directory.resolve("times.pcapng");
    long before = nanos(Instant.now());
    Capture capture = Capture.open(file);
    capture.stream(true, here, there);
    capture.close();
    long after = nanos(Instant.now());
    capture.stream(true, there, here);
    capture.close();
    assertThat(WrittenPackets.read(file)).hasSize(3)
        .allSatisfy(packet -> assertThat(packet.nanos()).isBetween(before, after));
  }

  private static void assertNotOpened(Path file, String reason) {
    assertThatThrownBy(() -> Capture.open(file)).isInstanceOf(VerbsException.class)
        .hasMessageContaining("Cannot write the capture file " + file + reason)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("A file that cannot be written is refused with the reason")
  void refused() throws IOException {
    assertNotOpened(directory.resolve("missing").resolve("file.pcapng"), ": there is no such directory. Choose");
    Path file = Files.createFile(directory.resolve("file"));
    Path below = file.resolve("below");
    // In the words of the system.
    FileSystemException cause =
        catchThrowableOfType(FileSystemException.class, () -> Files.newOutputStream(below).close());
    assertNotOpened(below, ": " + cause.getReason() + ". Choose");
  }

  /** Fails if {@code Capture.write} does not end, or tells nobody. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("A disk that is full ends the capture with one warning, and no connection")
  void full() {
    List<String> warnings = new ArrayList<>();
    Logger logger = Logger.getLogger(Capture.class.getName());
    logger.setFilter(message -> {
      warnings.add(message.getMessage());
      return false;
    });
    try {
      Capture capture = Capture.open(Path.of("/dev/full"));
      CapturedStream stream = capture.stream(true, here, there);
      stream.sent(ByteBuffer.allocate(1 << 22));
      assertThat(warnings).containsExactly("Capturing to /dev/full has ended early");
      stream.close();
      capture.close();
      assertThat(warnings).containsExactly("Capturing to /dev/full has ended early",
          "The capture /dev/full may not be complete");
    } finally {
      logger.setFilter(null);
    }
  }
}
