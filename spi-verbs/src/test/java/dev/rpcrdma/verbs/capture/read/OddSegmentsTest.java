// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Segments as they are met: probes, ports that are used again, copies, resets, cut frames. */
@DisplayName("Odd segments")
final class OddSegmentsTest extends SegmentBed {

  @Test
  @DisplayName("A direction that is first seen by a keep-alive probe lacks nothing")
  void probeFirst() throws IOException {
    assertThat(told(up(999, Packets.ACK, ""), down(5000, Packets.ACK, ""), up(1000, Packets.ACK, "data")))
        .isEqualTo("open 1 data@3> end 1 ");
  }

  @Test
  @DisplayName("The same with a FIN behind the probe")
  void probeThenFin() throws IOException {
    assertThat(told(up(999, Packets.ACK, ""), down(5000, Packets.ACK, ""), up(1000, FIN, ""), down(5000, FIN, "")))
        .isEqualTo("open 1 end 1 ");
  }

  @Test
  @DisplayName("Ports used again, without the SYN: the bytes of the next connection are told")
  void reusedWithoutSyn() throws IOException {
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(101, FIN, ""), down(501, FIN, ""),
        down(9000, SYN_ACK, ""), up(7001, Packets.ACK, "next"), down(9001, Packets.ACK, "one")))
        .contains("next").contains("one");
  }

  @Test
  @DisplayName("Copies of a handshake that come late are no other connection")
  void copiedHandshake() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    byte[] data = up(101, Packets.ACK, "abc");
    assertThat(told(syn, answer, data, syn, answer, data, up(104, Packets.ACK, "def")))
        .isEqualTo("open 1 abc@3> def@7> end 1 ");
  }

  @Test
  @DisplayName("A SYN that came twice, and the first bytes sent again, are no other connection")
  void lateSynThenRetransmission() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    byte[] data = up(101, Packets.ACK, "abc");
    assertThat(told(syn, answer, data, syn, down(501, Packets.ACK, ""), data, up(104, Packets.ACK, "def")))
        .isEqualTo("open 1 abc@3> def@7> end 1 ");
  }

  @Test
  @DisplayName("What a reset says in its payload is no byte of the stream")
  void resetWithText() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    assertThat(told(syn, answer, up(101, Packets.ACK, "abc"), up(104, RST, "why")))
        .isEqualTo("open 1 abc@3> end 1 ");
  }

  /** Fails if {@code TcpSegment.isSyn} or {@code isFin} looks at its flag alone: the reset ends what it has begun. */
  @Test
  @DisplayName("A reset that has the flags SYN or FIN, too, is a reset alone")
  void resetWithOtherFlags() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    byte[] data = up(101, Packets.ACK, "abc");
    for (int flags : new int[] {RST | Packets.SYN, RST | SYN_ACK, RST | SYN_ACK | FIN, RST | FIN}) {
      byte[] forged = up(7000, flags, "");
      assertThat(told(syn, answer, data, forged, up(104, Packets.ACK, "def"))).isEqualTo("open 1 abc@3> def@5> end 1 ");
      assertThat(told(syn, answer, data, forged, up(7001, Packets.ACK, "?"))).startsWith("open 1 abc@3> ")
          .doesNotContain("open 2");
      assertThat(told(syn, answer, data, up(104, flags, ""))).isEqualTo("open 1 abc@3> end 1 ");
      assertThat(told(forged, syn, answer, data)).isEqualTo("open 1 end 1 open 2 abc@4> end 2 ");
    }
  }

  @Test
  @DisplayName("Connections that have ended push out none that is open")
  void endedPushOutNone() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    frames.add(up(100, Packets.SYN, ""));
    frames.add(down(500, SYN_ACK, ""));
    frames.add(up(101, Packets.ACK, "idle"));
    for (int i = 0; i < 4096; i++) {
      InetSocketAddress other = address("10.1." + i / 256 + "." + i % 256, 3);
      Packets out = new Packets(other, server);
      Packets in = new Packets(server, other);
      frames.add(packet(out, 0, Packets.SYN, ""));
      frames.add(packet(in, 0, SYN_ACK, ""));
      frames.add(packet(out, 1, FIN, ""));
      frames.add(packet(in, 1, FIN, ""));
    }
    frames.add(up(105, Packets.ACK, "awake"));
    List<String> forgotten = new ArrayList<>();
    StringBuilder told = new StringBuilder();
    Telling telling = new Telling(told);
    CaptureFile.read(new java.io.ByteArrayInputStream(
        CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, RAW, frames)), new ConversationHandler() {
          @Override
          public void opened(Conversation conversation) {}

          @Override
          public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
            telling.bytes(conversation, frame, fromOpener, bytes);
          }

          @Override
          public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {}

          @Override
          public void forgotten(Conversation conversation, long frame) {
            forgotten.add(conversation.toString());
          }

          @Override
          public void ended(Conversation conversation) {}
        });
    assertThat(forgotten).isEmpty();
    assertThat(told.toString()).contains("awake");
  }

  @Test
  @DisplayName("Numbers that wrap, in both directions, with copies and gaps that are filled")
  void wrap() throws IOException {
    assertThat(told(up(-3, Packets.SYN, ""), down(-2, SYN_ACK, ""), up(0, Packets.ACK, "cd"),
        up(-2, Packets.ACK, "ab"), up(-1, Packets.ACK, "bcdef"), down(-1, Packets.ACK, "xy"), down(1, FIN, ""),
        up(4, FIN, ""))).isEqualTo("open 1 ab@4> cd@4> ef@5> xy@6< end 1 ");
  }

  @Test
  @DisplayName("Both ends open at once")
  void simultaneousOpen() throws IOException {
    assertThat(told(up(100, Packets.SYN, ""), down(500, Packets.SYN, ""), up(100, SYN_ACK, ""), down(500, SYN_ACK, ""),
        up(101, Packets.ACK, "abc"), down(501, Packets.ACK, "xyz"), up(104, FIN, ""), down(504, FIN, "")))
        .contains("abc").contains("xyz").doesNotContain("gap");
  }

  @Test
  @DisplayName("Half-open: a client that has started anew resets what its server still has, and opens again")
  void halfOpen() throws IOException {
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(101, Packets.ACK, "abc"),
        up(7000, Packets.SYN, ""), down(501, Packets.ACK, ""), up(104, RST, ""), up(7000, Packets.SYN, ""),
        down(9000, SYN_ACK, ""), up(7001, Packets.ACK, "new"))).isEqualTo("open 1 abc@3> end 1 open 2 new@9> end 2 ");
  }

  @Test
  @DisplayName("A keep-alive with a byte of garbage, before and behind the FIN, is no byte of the stream")
  void garbageProbe() throws IOException {
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(101, Packets.ACK, "abc"),
        up(103, Packets.ACK, "?"), up(104, FIN, ""), up(104, Packets.ACK, "?"), down(501, FIN, "")))
        .isEqualTo("open 1 abc@3> end 1 ");
  }

  /** Fails if {@code HalfStream.segment} takes what was captured of a segment for all of it. */
  @Test
  @DisplayName("A segment with a FIN, cut short by the capture, lacks its rest")
  void cutWithFin() throws IOException {
    byte[] last = up(101, FIN, "abcdef");
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), Arrays.copyOf(last, last.length - 2),
        down(501, FIN, ""))).isEqualTo("open 1 abcd@3> gap 2@3> end 1 ");
  }

  /** Fails if {@code HalfStream.segment} does not look at the number of a segment without bytes. */
  @Test
  @DisplayName("Bytes are lost in front of a reset, or of an acknowledgment: there is a gap, unless they come")
  void lostBeforeReset() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    assertThat(told(syn, answer, up(101, Packets.ACK, "abc"), up(109, RST, "")))
        .isEqualTo("open 1 abc@3> gap 5@4> end 1 ");
    assertThat(told(syn, answer, up(101, Packets.ACK, "abc"), up(109, Packets.ACK, ""), up(107, Packets.ACK, "")))
        .isEqualTo("open 1 abc@3> gap 5@4> end 1 ");
    assertThat(told(syn, answer, up(109, Packets.ACK, ""), up(101, Packets.ACK, "abcdefgh")))
        .isEqualTo("open 1 abcdefgh@4> end 1 ");
    assertThat(told(syn, answer, up(101, Packets.ACK, "abc"), up(101 - (1 << 30), RST, ""), up(1 << 31, RST, "")))
        .as("old or forged").isEqualTo("open 1 abc@3> end 1 ");
  }

  /** Fails if {@code TcpAssembler.segment} takes another answer to a SYN for a part of an open connection. */
  @Test
  @DisplayName("Ports used again while the connection before is open, without the SYN")
  void reusedWhileOpenWithoutSyn() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    byte[] answer = down(500, SYN_ACK, "");
    byte[] other = packet(toClient, 9000, 7001, SYN_ACK, "");
    assertThat(told(syn, answer, up(101, Packets.ACK, "abc"), other, up(7001, Packets.ACK, "new"),
        down(9001, Packets.ACK, "answer"))).isEqualTo("open 1 abc@3> end 1 open 2 new@5> answer@6< end 2 ");
    assertThat(told(syn, answer, other, down(9001, Packets.ACK, "answer")))
        .isEqualTo("open 1 end 1 open 2 answer@4< end 2 ");
    assertThat(told(syn, answer, other, up(101, Packets.ACK, "abc"), down(501, Packets.ACK, "xyz")))
        .as("forged").isEqualTo("open 1 abc@4> xyz@5< end 1 ");
  }

  /** Fails if {@code TcpAssembler.segment} keeps a SYN of used ports without its bytes. */
  @Test
  @DisplayName("The bytes of a SYN (RFC 7413) of ports that are used again are those of the next connection")
  void bytesOfSyn() throws IOException {
    assertThat(told(up(100, Packets.SYN, ""), down(500, SYN_ACK, ""), up(7000, Packets.SYN, "early"),
        down(9000, SYN_ACK, ""), up(7006, Packets.ACK, "late")))
        .isEqualTo("open 1 end 1 open 2 early@3> late@5> end 2 ");
  }

  /** Fails if {@code HalfStream.isContradictedBy} takes any direction without a SYN for one at its beginning. */
  @Test
  @DisplayName("An old segment in front of the answer to a SYN is none of the connection's")
  void oldSegmentFirst() throws IOException {
    assertThat(told(up(7000, Packets.SYN, ""), down(501, Packets.ACK, "old"),
        packet(toClient, 9000, 7001, SYN_ACK, ""), up(7001, Packets.ACK, "new"), down(9001, Packets.ACK, "answer")))
        .isEqualTo("open 1 old@2< end 1 open 2 new@4> answer@5< end 2 ");
  }

  /** Fails if {@code HalfStream.gapFrame} tells another frame, or takes a FIN that was not captured for a byte. */
  @Test
  @DisplayName("The frame of a gap is the first one behind it; the number of a lost FIN is no byte")
  void frameOfGap() throws IOException {
    byte[] syn = up(100, Packets.SYN, "");
    assertThat(told(syn, up(105, Packets.ACK, "ef"), up(109, Packets.ACK, "ij")))
        .isEqualTo("open 1 gap 4@2> end 1 ");
    assertThat(told(syn, up(101, Packets.ACK, "abc"), up(105, Packets.ACK, ""))).isEqualTo("open 1 abc@2> end 1 ");
  }

  /** Fails if {@code HalfStream.isResetBy} asks for a sequence number where none is known. */
  @Test
  @DisplayName("A connection that is refused has ended")
  void refused() throws IOException {
    byte[] refusal = packet(toClient, 777, 101, RST | Packets.ACK, "");
    assertThat(told(up(100, Packets.SYN, ""), refusal, up(101, Packets.ACK, "late")))
        .isEqualTo("open 1 end 1 ");
  }

  @Test
  @DisplayName("A SYN that is first answered by an ACK of an old connection, from before the capture")
  void challengeAckFirst() throws IOException {
    assertThat(told(up(7000, Packets.SYN, ""), down(501, Packets.ACK, ""), up(104, RST, ""), up(7000, Packets.SYN, ""),
        down(9000, SYN_ACK, ""), up(7001, Packets.ACK, "new"), down(9001, Packets.ACK, "answer")))
        .isEqualTo("open 1 new@6> answer@7< end 1 ");
  }
}
