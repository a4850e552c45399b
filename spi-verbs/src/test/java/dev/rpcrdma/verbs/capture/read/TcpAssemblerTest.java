// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When connections begin and end, and which copy of a byte counts. */
@DisplayName("Connections of segments")
final class TcpAssemblerTest extends SegmentBed {

  @Test
  @DisplayName("A capture that begins with the answer to a SYN knows which end has opened the connection")
  void answerFirst() throws IOException {
    assertThat(told(packet(toClient, 9, Packets.SYN | Packets.ACK, ""), data(1, "ask"),
        packet(toClient, 10, Packets.ACK, "answer"))).isEqualTo("open 1 ask@2> answer@3< end 1 ");
  }

  @Test
  @DisplayName("Both ends of a connection are known from its first frame, whichever direction it has")
  void ends() throws CaptureFormatException {
    List<Conversation> opened = new ArrayList<>();
    List<Integer> joined = new ArrayList<>();
    ConversationHandler handler = new ConversationHandler() {
      @Override
      public void opened(Conversation conversation) {
        opened.add(conversation);
      }

      @Override
      public void joined(Conversation conversation) {
        joined.add(opened.size());
      }

      @Override
      public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {}

      @Override
      public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {}

      @Override
      public void ended(Conversation conversation) {}
    };
    for (byte[] first : List.of(syn(9), packet(toClient, 9, Packets.SYN | Packets.ACK, ""), data(10, "x"))) {
      new TcpAssembler(handler).segment(TcpSegment.of(new CapturedPacket(1, RAW, ByteBuffer.wrap(first))));
    }
    assertThat(opened).hasSize(3).containsOnly(new Conversation(1, client, server));
    assertThat(joined).as("without SYN").containsExactly(3);
  }

  /** Fails if {@code TcpAssembler.take} asks for the end of one direction only, or for no end. */
  @Test
  @DisplayName("A connection ends with the second FIN, in either order, and nothing is told of it afterwards")
  void fins() throws IOException {
    Packets other = new Packets(address("10.0.0.3", 1), server);
    byte[] next = packet(other, 0, Packets.SYN, "");
    byte[] toServerFin = packet(toServer, 10, FIN, "");
    byte[] toClientFin = packet(toClient, 20, FIN, "");
    byte[] answer = packet(toClient, 19, Packets.SYN | Packets.ACK, "");
    assertThat(told(syn(9), answer, toServerFin, packet(toClient, 20, Packets.ACK, "b"),
        packet(toClient, 21, FIN, ""), next, packet(toClient, 21, Packets.ACK, "c")))
        .isEqualTo("open 1 b@4< end 1 open 2 end 2 ");
    assertThat(told(syn(9), answer, toClientFin, data(10, "b"), packet(toServer, 11, FIN, ""), next, data(11, "c")))
        .isEqualTo("open 1 b@4> end 1 open 2 end 2 ");
  }

  /** Fails if {@code HalfStream.isFinished} does not ask whether something waits. */
  @Test
  @DisplayName("A FIN that comes before the bytes in front of it ends nothing")
  void earlyFin() throws IOException {
    assertThat(told(syn(9), packet(toClient, 19, Packets.SYN | Packets.ACK, ""), packet(toClient, 20, FIN, ""),
        packet(toServer, 13, FIN, "later"), data(10, "abc"))).isEqualTo("open 1 abc@5> later@5> end 1 ");
  }

  /** Fails if {@code HalfStream.finish} does not remember where the FIN is, or {@code gapFrame} does not ask for it. */
  @Test
  @DisplayName("Bytes that are missing before a FIN are told, with the frame of the FIN")
  void missingBeforeFin() throws IOException {
    byte[] answer = packet(toClient, 19, Packets.SYN | Packets.ACK, "");
    assertThat(told(syn(9), answer, data(10, "abc"), packet(toServer, 16, FIN, ""), packet(toClient, 20, FIN, "")))
        .isEqualTo("open 1 abc@3> gap 3@4> end 1 ");
    assertThat(told(syn(9), answer, data(10, "abc"), packet(toServer, 16, FIN, ""), packet(toClient, 20, FIN, ""),
        data(13, "def"), data(16, "g"))).isEqualTo("open 1 abc@3> def@6> end 1 ");
    assertThat(told(syn(9), data(10, "abc"), packet(toServer, 19, FIN, ""), data(16, "ghi")))
        .as("two gaps are one, up to the first bytes behind it").isEqualTo("open 1 abc@2> gap 3@4> end 1 ");
    assertThat(told(syn(9), data(10, "abc"), packet(toServer, 19, FIN, ""), packet(toServer, 16, FIN, "")))
        .as("of two FINs the first in the stream").isEqualTo("open 1 abc@2> gap 3@4> end 1 ");
  }

  /** Fails if {@code HalfStream.finish} or {@code isResetBy} does not ask where the segment is. */
  @Test
  @DisplayName("A FIN or a reset that the receiver ignores ends nothing")
  void strayEnds() throws IOException {
    byte[] answer = packet(toClient, 19, Packets.SYN | Packets.ACK, "");
    assertThat(told(syn(9), answer, data(10, "abc"), packet(toClient, 20, FIN, ""), packet(toServer, 11, FIN, ""),
        data(13, "def"))).isEqualTo("open 1 abc@3> def@6> end 1 ");
    for (int sequence : new int[] {19, 21, 1_000_000}) {
      assertThat(told(syn(9), answer, data(10, "abc"), packet(toClient, sequence, RST, ""), data(13, "def")))
          .isEqualTo("open 1 abc@3> def@5> end 1 ");
    }
    assertThat(told(syn(9), answer, data(10, "abc"), packet(toClient, 20, RST, ""), data(13, "def")))
        .isEqualTo("open 1 abc@3> end 1 ");
    assertThat(told(syn(9), answer, packet(toClient, 20, FIN, ""), packet(toClient, 21, RST, ""), data(10, "abc")))
        .as("a FIN takes a number").isEqualTo("open 1 end 1 ");
    assertThat(told(syn(9), answer, data(11, "bc"), packet(toServer, 10, RST, ""), data(10, "a")))
        .as("as far as the receiver is").isEqualTo("open 1 gap 1@3> end 1 ");
  }

  /** Fails if {@code TcpAssembler.segment} takes each SYN for another connection, or {@code follows} any segment. */
  @Test
  @DisplayName("A SYN without an answer ends nothing; an answer or the next bytes make it another connection")
  void straySyn() throws IOException {
    byte[] answer = packet(toClient, 19, Packets.SYN | Packets.ACK, "");
    assertThat(told(syn(9), answer, data(10, "abc"), syn(5_000), packet(toClient, 20, Packets.ACK, "xy"),
        data(13, "def"))).isEqualTo("open 1 abc@3> xy@5< def@6> end 1 ");
    assertThat(told(syn(9), answer, data(10, "abc"), syn(5_000), packet(toClient, 70, Packets.SYN | Packets.ACK, ""),
        packet(toClient, 71, Packets.ACK, "xy"))).isEqualTo("open 1 abc@3> end 1 open 2 xy@6< end 2 ");
    assertThat(told(syn(9), answer, data(10, "abc"), packet(toClient, 70, Packets.SYN, ""),
        packet(toClient, 71, Packets.ACK, "xy"), data(13, "d")))
        .isEqualTo("open 1 abc@3> end 1 open 2 xy@5> d@6< end 2 ");
  }

  @Test
  @DisplayName("The bytes of a SYN come behind it")
  void synWithBytes() throws IOException {
    assertThat(told(packet(toServer, 9, Packets.SYN, "fast"), data(14, " open")))
        .isEqualTo("open 1 fast@1>  open@2> end 1 ");
  }

  @Test
  @DisplayName("Missing bytes of both directions are told when the connection ends")
  void gaps() throws IOException {
    assertThat(told(data(0, "a"), packet(toClient, 0, Packets.ACK, "b"), data(3, "c"),
        packet(toClient, 5, Packets.ACK, "d"))).isEqualTo("open 1 a@1> b@2< gap 2@3> gap 4@4< end 1 ");
  }

  @Test
  @DisplayName("Of two copies of the same length that wait the first one counts, and none is told without bytes")
  void copies() throws IOException {
    assertThat(told(syn(9), data(13, "one"), data(13, "two"), data(14, "ne"), data(10, "abc")))
        .isEqualTo("open 1 abc@5> one@5> end 1 ");
  }

  @Test
  @DisplayName("A conversation is written with its number and both ends, IPv6 in brackets")
  void text() {
    assertThat(new Conversation(7, client, server)).hasToString("7  10.0.0.1:1111 > 10.0.0.2:2222");
    assertThat(new Conversation(8, address("::1", 1), address("fd00::2", 2)))
        .hasToString("8  [0:0:0:0:0:0:0:1]:1 > [fd00:0:0:0:0:0:0:2]:2");
  }
}
