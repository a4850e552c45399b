// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ends of streams beside old and forged segments, and bytes that the capture lacks. */
@DisplayName("Ends of captured streams")
final class StreamEndsTest extends SegmentBed {

  /** Fails if {@code HalfStream} keeps what an old segment has told when the answer to a SYN begins it anew. */
  @Test
  @DisplayName("An old FIN, or old numbers, in front of the answer to a SYN end nothing, and are no gap")
  void oldEndInFrontOfAnswer() throws IOException {
    byte[] syn = up(7000, Packets.SYN, "");
    byte[] answer = down(9000, SYN_ACK, "");
    byte[] ask = up(7001, Packets.ACK, "ask");
    byte[] reply = down(9001, Packets.ACK, "reply");
    assertThat(told(syn, down(501, FIN, ""), answer, ask, reply)).as("FIN")
        .isEqualTo("open 1 ask@4> reply@5< end 1 ");
    assertThat(told(syn, down(501, Packets.ACK, ""), down(601, Packets.ACK, ""), answer, ask, reply)).as("numbers")
        .isEqualTo("open 1 ask@5> reply@6< end 1 ");
  }

  /**
   * Fails if {@code TcpAssembler.take} takes any reset of a direction that has not begun, or {@code
   * HalfStream.isAnsweredBy} any acknowledgment.
   */
  @Test
  @DisplayName("A reset in front of the answer to a SYN ends the connection if it acknowledges the SYN, else it is old")
  void resetInFrontOfAnswer() throws IOException {
    byte[] syn = up(7000, Packets.SYN, "");
    byte[] answer = packet(toClient, 9000, 7001, SYN_ACK, "");
    byte[] ask = packet(toServer, 7001, 9001, Packets.ACK, "ask");
    byte[] reply = packet(toClient, 9001, 7004, Packets.ACK, "reply");
    for (byte[] old : new byte[][] {packet(toClient, 501, 0, RST, ""), packet(toClient, 501, 7001, RST, ""),
        packet(toClient, 501, 7000, RST | Packets.ACK, ""), packet(toClient, 501, 7002, RST | Packets.ACK, "")}) {
      assertThat(told(syn, old, old, answer, ask, reply)).isEqualTo("open 1 ask@5> reply@6< end 1 ");
    }
    assertThat(told(syn, packet(toClient, 501, 0, RST, ""), answer, ask, reply, up(7021, Packets.ACK, "late")))
        .as("20 bytes are lost").contains("gap 17@6>");
    assertThat(told(syn, packet(toClient, 0, 7001, RST | Packets.ACK, ""), ask)).as("refused, ask comes late")
        .isEqualTo("open 1 end 1 ");
    assertThat(told(up(7000, Packets.SYN, "early"), packet(toClient, 0, 7006, RST | Packets.ACK, ""), ask))
        .as("refused with its first bytes").isEqualTo("open 1 early@1> end 1 ");
    assertThat(told(syn, ask, packet(toClient, 501, 0, RST, ""), data(7004, "more"))).as("the answer is not captured")
        .isEqualTo("open 1 ask@2> end 1 ");
    assertThat(told(ask, packet(toClient, 501, 0, RST, ""), data(7004, "more"))).as("open before the capture")
        .isEqualTo("open 1 ask@1> end 1 ");
  }

  /** Fails if {@code TcpAssembler.tellFinished} asks no FIN, or the other direction, or is called by nobody. */
  @Test
  @DisplayName("FINs are told in front of the end, but not where bytes before them are missing, nor of a reset")
  void finished() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    assertThat(finished(syn, answer, up(101, FIN, "abc"), down(501, FIN, ""))).isEqualTo("3> 4< ended ");
    assertThat(finished(syn, answer, data(101, "abc"), down(501, FIN, ""))).as("half open").isEqualTo("4< ended ");
    assertThat(finished(syn, answer, up(102, FIN, "bc"), down(501, FIN, ""))).as("gap").isEqualTo("4< ended ");
    assertThat(finished(syn, answer, data(101, "abc"), up(104, RST, ""))).as("reset").isEqualTo("ended ");
    assertThat(finished(syn, answer, up(101, FIN, ""), down(501, RST, ""))).as("FIN and reset")
        .isEqualTo("3> ended ");
  }

  private static String finished(byte[]... frames) throws IOException {
    StringBuilder ends = new StringBuilder();
    byte[] file = CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, RAW, List.of(frames));
    CaptureFile.read(new ByteArrayInputStream(file), new ConversationHandler() {
      @Override
      public void opened(Conversation conversation) {}

      @Override
      public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {}

      @Override
      public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {}

      @Override
      public void finished(Conversation conversation, long frame, boolean fromOpener) {
        ends.append(frame).append(fromOpener ? "> " : "< ");
      }

      @Override
      public void ended(Conversation conversation) {
        ends.append("ended ");
      }
    });
    return ends.toString();
  }

  /** Fails if {@code HalfStream.finish} or {@code show} goes by another bound than {@code LARGEST_WINDOW}. */
  @Test
  @DisplayName("A FIN or a number that is farther ahead than any window is old")
  void farAhead() throws IOException {
    for (int flags : new int[] {FIN, Packets.ACK}) {
      byte[][] open = {up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(101, Packets.ACK, "abc")};
      assertThat(told(open[0], open[1], open[2], up(104 + (1 << 30), flags, "")))
          .isEqualTo("open 1 abc@3> gap 1073741824@4> end 1 ");
      assertThat(told(open[0], open[1], open[2], up(105 + (1 << 30), flags, "")))
          .isEqualTo("open 1 abc@3> end 1 ");
    }
  }

  /** Fails if {@code HalfStream.show} lets a reset take the place of what another segment has shown. */
  @Test
  @DisplayName("A reset that is ignored takes nothing from what was shown before")
  void ignoredReset() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    assertThat(told(syn, answer, up(109, Packets.ACK, ""), up(5000, RST, ""), down(501, Packets.ACK, "on")))
        .isEqualTo("open 1 on@5< gap 8@3> end 1 ");
    assertThat(told(syn, answer, up(109, RST, ""), up(105, RST, "")))
        .as("the farther one").isEqualTo("open 1 gap 8@3> end 1 ");
    assertThat(told(syn, answer, up(109, RST, ""), up(101, Packets.ACK, "on")))
        .as("of the side that goes on").isEqualTo("open 1 on@4> end 1 ");
  }

  /** Fails if {@code HalfStream.isAtBeginning} does not ask what waits. */
  @Test
  @DisplayName("Another answer to a SYN, where bytes wait that came behind a cut frame, begins another connection")
  void answerBehindCutFrame() throws IOException {
    byte[] cut = down(501, Packets.ACK, "cut");
    assertThat(told(up(7000, Packets.SYN, ""), Arrays.copyOf(cut, cut.length - 3), down(504, Packets.ACK, "old"),
        packet(toClient, 9000, 7001, SYN_ACK, ""), up(7001, Packets.ACK, "new"), down(9001, Packets.ACK, "answer")))
        .isEqualTo("open 1 gap 3@3< end 1 open 2 new@5> answer@6< end 2 ");
  }

  /** Fails if {@code TcpSegment.kept} keeps less than {@code MOST_KEPT}, or a part of more. */
  @Test
  @DisplayName("Of a SYN of used ports 2,048 bytes are kept; of more, all are missing")
  void keptOfSyn() throws IOException {
    String most = "x".repeat(2048);
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(7000, Packets.SYN, most),
        down(9000, SYN_ACK, ""))).isEqualTo("open 1 end 1 open 2 " + most + "@3> end 2 ");
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(7000, Packets.SYN, most + "x"),
        down(9000, SYN_ACK, ""))).isEqualTo("open 1 end 1 open 2 gap 2049@3> end 2 ");
  }

  /** Fails if {@code TcpAssembler.follows} takes another SYN for what follows one. */
  @Test
  @DisplayName("What follows a SYN is no other SYN of its sender or its receiver")
  void followedBySyn() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    assertThat(told(syn, down(500, SYN_ACK, ""), packet(toClient, 9000, 7001, SYN_ACK, ""),
        packet(toClient, 9001, 7001, SYN_ACK, ""), up(7001, Packets.ACK, "new"), down(9002, Packets.ACK, "answer")))
        .isEqualTo("open 1 end 1 open 2 new@5> answer@6< end 2 ");
    assertThat(told(syn, down(400, Packets.SYN, ""), syn, packet(toClient, 500, 101, SYN_ACK, ""),
        up(101, Packets.ACK, "abc"), down(501, Packets.ACK, "xyz")))
        .as("forged").isEqualTo("open 1 abc@5> xyz@6< end 1 ");
  }

  /** Fails if {@code TcpAssembler.take} does not ask what a segment acknowledges, or an old acknowledgment counts. */
  @Test
  @DisplayName("Bytes that the other side has acknowledged were sent: there is a gap, unless they come")
  void acknowledged() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = packet(toClient, 500, 101, SYN_ACK, "");
    byte[] ask = packet(toServer, 101, 501, Packets.ACK, "ask");
    byte[] taken = packet(toServer, 104, 506, Packets.ACK, "");
    assertThat(told(syn, answer, ask, taken, taken)).isEqualTo("open 1 ask@3> gap 5@4< end 1 ");
    assertThat(told(syn, answer, ask, taken, down(501, Packets.ACK, "reply")))
        .as("captured late").isEqualTo("open 1 ask@3> reply@5< end 1 ");
    assertThat(told(syn, answer, packet(toServer, 101, 506, Packets.ACK, ""), ask))
        .as("an old one").isEqualTo("open 1 ask@4> end 1 ");
    assertThat(told(syn, answer, packet(toServer, 101, 502, Packets.ACK, "ask")))
        .as("of a FIN that was not captured").isEqualTo("open 1 ask@3> end 1 ");
    assertThat(told(syn, answer, ask, packet(toServer, 104, 506, RST, "")))
        .as("a reset without an acknowledgment").isEqualTo("open 1 ask@3> end 1 ");
    assertThat(told(syn, down(-10, SYN_ACK, ""), syn)).as("a copy of a SYN").isEqualTo("open 1 end 1 ");
    assertThat(told(down(501, Packets.ACK, "old"), packet(toServer, 101, 900, Packets.ACK, "ask")))
        .as("joined by a copy").isEqualTo("open 1 old@1> ask@2< end 1 ");
    assertThat(told(syn, answer, ask, packet(toServer, 104, 502 + (1 << 30), Packets.ACK, "")))
        .as("farther ahead than any window").isEqualTo("open 1 ask@3> end 1 ");
  }
}
