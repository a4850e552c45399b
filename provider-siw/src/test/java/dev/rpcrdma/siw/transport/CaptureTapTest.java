// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.decode.Recorded;
import dev.rpcrdma.siw.decode.Recorded.Piece;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.testkit.lab.NeedsTshark;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where TCP has cut the stream does not matter to tshark. */
@DisplayName("siw: streams in a capture")
@Tag("large")
final class CaptureTapTest {

  private static final int FPDUS = 60;

  /** Bytes of the first payload. */
  private static final int SHORTEST = 20;

  @TempDir
  Path directory;

  private static byte[] startup(boolean request) {
    return new MpaFrame(request, false, true, false, 1, Optional.empty(), new byte[3]).encode();
  }

  /** FPDUs of all sizes modulo four. */
  private static byte[] fpdus() {
    byte[] all = {};
    for (int i = 0; i < FPDUS; i++) {
      all = Fpdus.concat(all, Fpdus.write(7, i, new byte[SHORTEST + i]));
    }
    return all;
  }

  /** Captures what one end sends at once, and receives in reads of some bytes. */
  private Path captured(byte[] sent, byte[] received, int read) {
    return captured(2222, sent, received, read);
  }

  private Path captured(int port, byte[] sent, byte[] received, int read) {
    Path file = directory.resolve(read + ".pcapng");
    try (Capture capture = Capture.open(file)) {
      CaptureTap tap = new CaptureTap(capture);
      tap.open(true, new InetSocketAddress("127.0.0.1", 1111),
          new InetSocketAddress("127.0.0.1", port));
      tap.sent(ByteBuffer.wrap(startup(true)));
      receive(tap, startup(false), read);
      tap.sent(ByteBuffer.wrap(sent));
      receive(tap, received, read);
      tap.close();
    }
    return file;
  }

  private static void receive(CaptureTap tap, byte[] bytes, int read) {
    for (int at = 0; at < bytes.length; at += read) {
      tap.received(ByteBuffer.wrap(bytes), at, Math.min(bytes.length, at + read));
    }
  }

  @Test
  @NeedsTshark
  @DisplayName("tshark takes no stream for what else its port is used for: 44818 is EtherNet/IP's")
  void knownPort() {
    Tshark.judge(captured(44818, fpdus(), fpdus(), 64));
  }

  @Test
  @NeedsTshark
  @DisplayName("tshark finds no fault of TCP, however far one direction runs ahead of the other")
  void oneDirection() {
    Path file = directory.resolve("ahead.pcapng");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, new InetSocketAddress("127.0.0.1", 1111),
          new InetSocketAddress("127.0.0.1", 2222));
      // To the byte what a window holds: the first one of a connection, and a later one.
      stream.sent(ByteBuffer.allocate(0xFFFF - CapturedStream.MAX_PACKET_BYTES));
      stream.sent(ByteBuffer.allocate(CapturedStream.MAX_PACKET_BYTES));
      stream.received(ByteBuffer.allocate(0xFFFF << 7));
      stream.close();
    }
    assertThat(Tshark.run("-r", file.toString(), "-Y", "tcp.analysis.flags")).isEmpty();
    assertThat(Tshark.count(file, "tcp.len > 0")).isEqualTo(2 + 129);
  }

  @ParameterizedTest(name = "reads of {0} bytes")
  @NeedsTshark
  @ValueSource(ints = {1, 7, 53, 64, 1000})
  @DisplayName("tshark finds each FPDU, wherever reads have ended")
  void judged(int read) {
    Path file = captured(fpdus(), fpdus(), read);
    Tshark.judge(file);
    assertThat(Tshark.run("-r", file.toString(), "-O", "iwarp_mpa").split("Good CRC32", -1))
        .hasSize(2 * FPDUS + 1);
  }

  @ParameterizedTest(name = "reads of {0} bytes")
  @ValueSource(ints = {1, 7, 53, 64, 1000})
  @DisplayName("All bytes are there, in order, even when the connection ends early in an FPDU")
  void complete(int read) throws IOException {
    int first = Fpdu.bytes(DdpHeader.TAGGED_BYTES + SHORTEST);
    for (int rest = 0; rest < 12; rest++) {
      byte[] early = Arrays.copyOf(fpdus(), first + rest);
      Path file = captured(early, early, read);
      try (InputStream in = Files.newInputStream(file)) {
        List<Piece> pieces = Recorded.conversations(in).get(0);
        assertThat(bytes(pieces, true)).isEqualTo(Fpdus.concat(startup(true), early));
        assertThat(bytes(pieces, false)).isEqualTo(Fpdus.concat(startup(false), early));
      }
    }
  }

  private static byte[] bytes(List<Piece> pieces, boolean fromOpener) {
    return Fpdus.concat(pieces.stream().filter(piece -> piece.fromOpener() == fromOpener)
        .map(Piece::bytes).toArray(byte[][]::new));
  }

  /** Fails if {@code CaptureTap.close} does not ask where the received bytes end. */
  @ParameterizedTest(name = "{0} bytes of the last FPDU")
  @ValueSource(ints = {0, 3, 30})
  @DisplayName("A connection that is lost within an FPDU ends by a reset, so that nobody takes it for badly formed")
  void lost(int more) throws IOException {
    byte[] last = Fpdus.write(7, 0, new byte[SHORTEST]);
    Path file = captured(fpdus(), Fpdus.concat(fpdus(), Arrays.copyOf(last, more)), 1000);
    List<String> ends = new ArrayList<>();
    CaptureFile.read(file, new ConversationHandler() {
      @Override
      public void opened(Conversation conversation) {}

      @Override
      public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {}

      @Override
      public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {}

      @Override
      public void finished(Conversation conversation, long frame, boolean fromOpener) {
        ends.add(fromOpener ? "here" : "there");
      }

      @Override
      public void ended(Conversation conversation) {
        ends.add("ended");
      }
    });
    assertThat(ends).isEqualTo(more == 0 ? List.of("here", "there", "ended") : List.of("ended"));
  }
}
