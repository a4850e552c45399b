// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.IOException;
import java.util.Arrays;
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
