// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MPA startup of both sides, without a socket. */
@DisplayName("MPA startup")
final class MpaStartupTest {

  private static MpaOffer offer(boolean crc, boolean peerToPeer, int ird, int ord) {
    return new MpaOffer(crc, false, true,
        peerToPeer ? EnumSet.allOf(Rtr.class) : EnumSet.noneOf(Rtr.class), ird, ord, 128,
        new byte[] {1, 2, 3});
  }

  private static MpaResponder responder(byte[] request) throws StartupException {
    MpaResponder responder = new MpaResponder();
    assertThat(responder.receive(ByteBuffer.wrap(request))).isTrue();
    return responder;
  }

  private static MpaInitiator initiator(MpaOffer offer, byte[] reply) throws StartupException {
    MpaInitiator initiator = new MpaInitiator(offer);
    assertThat(initiator.receive(ByteBuffer.wrap(reply))).isTrue();
    return initiator;
  }

  @Test
  @DisplayName("P-008, B-003: a frame may come in any pieces, and nothing behind it is taken")
  void anyPieces() throws StartupException {
    byte[] request = new MpaInitiator(offer(true, false, 4, 4)).request();
    byte[] stream = Fpdus.concat(request, new byte[] {9, 9});
    for (int cut = 0; cut <= stream.length; cut++) {
      MpaResponder responder = new MpaResponder();
      ByteBuffer first = ByteBuffer.wrap(stream, 0, cut);
      ByteBuffer second = ByteBuffer.wrap(stream, cut, stream.length - cut);
      boolean complete = responder.receive(first);
      assertThat(complete).isEqualTo(cut >= request.length);
      if (!complete) {
        assertThat(responder.receive(second)).isTrue();
        assertThat(second.position()).isEqualTo(request.length);
      }
      assertThat(responder.privateData()).containsExactly(1, 2, 3);
    }
  }

  private static byte[] reply(EnhancedBlock block) {
    return new MpaFrame(false, false, true, false, 2, Optional.of(block), new byte[0]).encode();
  }

  @Test
  @DisplayName("P-009: S is answered with S, no S with no S, and each revision with itself")
  void revisions() throws StartupException {
    MpaOffer mine = offer(true, false, 4, 4);
    byte[] revision1 =
        new MpaFrame(true, false, true, false, 1, Optional.empty(), new byte[] {5}).encode();
    MpaResponder responder = responder(revision1);
    MpaFrame reply = MpaFrame.parse(responder.acceptance(mine, responder.accept(mine)), false);
    assertThat(reply.revision()).isEqualTo(1);
    assertThat(reply.enhanced()).isEmpty();
    MpaResponder enhanced = responder(new MpaInitiator(mine).request());
    reply = MpaFrame.parse(enhanced.acceptance(mine, enhanced.accept(mine)), false);
    assertThat(reply.revision()).isEqualTo(2);
    assertThat(reply.enhanced()).isPresent();
    assertThat(MpaFrame.parse(enhanced.rejection(true, new byte[0]), false).enhanced())
        .isPresent();
  }

  @Test
  @DisplayName("P-004: a rejection brings private data")
  void rejection() throws StartupException {
    MpaOffer mine = offer(true, false, 4, 4);
    MpaResponder responder = responder(new MpaInitiator(mine).request());
    MpaInitiator initiator = initiator(mine, responder.rejection(true, new byte[] {8, 9}));
    assertThat(initiator.rejected()).isTrue();
    assertThat(initiator.privateData()).containsExactly(8, 9);
  }

  @Test
  @DisplayName("P-006: who asks for markers gets them, and we never ask")
  void markers() throws StartupException {
    MpaOffer mine = offer(true, false, 4, 4);
    MpaFrame request =
        new MpaFrame(true, true, true, false, 1, Optional.empty(), new byte[0]);
    MpaResponder responder = responder(request.encode());
    MpaAgreement agreement = responder.accept(mine);
    assertThat(agreement.markersSent()).isTrue();
    assertThat(agreement.markersReceived()).isFalse();
    assertThat(MpaFrame.parse(responder.acceptance(mine, agreement), false).markers()).isFalse();
    byte[] reply = reply(EnhancedBlock.clientServer(1, 1));
    assertThat(initiator(mine, reply).agreement().markersSent()).isFalse();
    reply[16] |= (byte) 0x80;
    assertThat(initiator(mine, reply).agreement().markersSent()).isTrue();
    assertThat(MpaFrame.parse(new MpaInitiator(mine).request(), true).markers()).isFalse();
  }

  @Test
  @DisplayName("P-001: a wrong key, revision or length ends startup at once")
  void wrongFrames() {
    byte[] good = reply(EnhancedBlock.clientServer(1, 1));
    byte[] revision = good.clone();
    revision[17] = 3;
    assertFails(revision, "revision 3");
    byte[] length = good.clone();
    length[18] = 2;
    length[19] = 1;
    assertFails(length, "513");
    byte[] flags = good.clone();
    flags[16] &= (byte) ~0x10;
    assertFails(flags, "enhanced block");
    assertFails("HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.US_ASCII),
        "does not speak iWARP");
    assertFails(new byte[] {'X'}, "does not speak iWARP");
    byte[] request = new MpaInitiator(offer(true, false, 4, 4)).request();
    assertFails(request, "Request");
  }

  private static void assertFails(byte[] reply, String message) {
    assertThatThrownBy(() -> new MpaInitiator(offer(true, false, 4, 4))
        .receive(ByteBuffer.wrap(reply)))
        .isInstanceOf(StartupException.class).hasMessageContaining(message);
  }

  /** A frame with as much private data as its header announces, or a part of it. */
  private static byte[] announcing(int privateData, int sent) {
    byte[] header = new MpaFrame(true, false, true, false, 1, Optional.empty(), new byte[0]).encode();
    ByteBuffer.wrap(header).putShort(18, (short) privateData);
    return Arrays.copyOf(header, header.length + sent);
  }

  @Test
  @DisplayName("P-001: 512 bytes of private data are taken, 513 are refused before they come")
  void longestPrivateData() throws StartupException {
    assertThat(responder(announcing(512, 512)).privateData()).hasSize(512);
    assertThat(new MpaResponder().receive(ByteBuffer.wrap(announcing(512, 511)))).isFalse();
    assertThatThrownBy(() -> new MpaResponder().receive(ByteBuffer.wrap(announcing(513, 0))))
        .isInstanceOf(StartupException.class).hasMessageContaining("513");
  }

  @Test
  @DisplayName("P-001: who does not speak MPA, who speaks TLS, and who is an initiator as well, is named so")
  void foreign() {
    assertForeign(new byte[] {'G', 'E', 'T'}, true, "no MPA Request");
    assertForeign(new byte[] {22, 3, 1}, true, "TLS");
    assertForeign(new byte[] {21, 3, 1}, false, "TLS");
    assertForeign(new byte[] {23, 3, 1}, false, "no MPA Reply");
    byte[] request = new MpaInitiator(offer(true, false, 4, 4)).request();
    assertForeign(request, false, "an MPA Request where an MPA Reply is due");
    assertForeign(reply(EnhancedBlock.clientServer(1, 1)), true, "an MPA Reply where an MPA Request");
    MpaResponder own = new MpaResponder();
    assertThat(own.isForeign()).isFalse();
    assertThatThrownBy(() -> own.receive(ByteBuffer.wrap(new byte[] {'G'})))
        .isInstanceOf(StartupException.class);
    assertThat(own.isForeign()).isTrue();
  }

  private static void assertForeign(byte[] bytes, boolean responder, String words) {
    assertThatThrownBy(() -> {
      if (responder) {
        new MpaResponder().receive(ByteBuffer.wrap(bytes));
      } else {
        new MpaInitiator(offer(true, false, 4, 4)).receive(ByteBuffer.wrap(bytes));
      }
    }).isInstanceOf(StartupException.class).hasMessageContaining(words);
  }

  @Test
  @DisplayName("P-004, P-005: a rejection has the revision of the Request, and the CRC that either side wants")
  void rejections() throws StartupException {
    for (boolean theirs : new boolean[] {false, true}) {
      for (boolean ours : new boolean[] {false, true}) {
        MpaResponder responder = responder(new MpaInitiator(offer(theirs, false, 4, 4)).request());
        byte[] rejection = responder.rejection(ours, new byte[] {7});
        MpaFrame frame = MpaFrame.parse(rejection, false);
        assertThat(frame.rejected()).isTrue();
        assertThat(frame.crc()).isEqualTo(ours || theirs);
        assertThat(frame.revision()).isEqualTo(2);
        MpaInitiator initiator = initiator(offer(theirs, false, 4, 4), rejection);
        assertThat(initiator.rejected()).isTrue();
        assertThat(initiator.privateData()).containsExactly(7);
      }
    }
    assertThat(initiator(offer(true, false, 4, 4), reply(EnhancedBlock.clientServer(1, 1))).rejected())
        .isFalse();
  }
}
