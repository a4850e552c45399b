// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Send With Invalidate (RFC 8797 §4.1): if both ends have said so, a reply may end one exposure of
 * its own call. It is a shortcut and never the fence: what it leaves out is revoked as ever.
 */
class RemoteInvalidationTest {

  private static final String SUCCESS = "00000001 00000000 00000000 00000000 00000000 00000001";
  private static final int FIRST_TAG = 0x1001;
  private static final int SECOND_TAG = 0x1002;

  private MachineBed bed = MachineBed.invalidating(true);

  @AfterEach
  void nothingIsLeft() {
    bed.lose("the end");
    bed.settle();
    bed.checkAtRest();
  }

  private static String reply(int xid) {
    return "%1$08x 00000001 00000004 00000000".formatted(xid) + NO_LISTS
        + "%08x".formatted(xid) + SUCCESS;
  }

  /** A call of the peer that offers a Reply chunk of 2048 bytes. */
  private static String offering(int xid, int tag) {
    return ("%1$08x 00000001 00000020 00000000 00000000 00000000 00000001 00000001 %2$08x 00000800"
        + "00000000 00000020 %1$08x").formatted(xid, tag) + CALL;
  }

  private void serve(int bytes) {
    bed.incoming.remove(0).reply(writer -> writer.opaque(new byte[bytes]));
    bed.settle();
  }

  @Test
  @DisplayName("RFC 8797 §4.1: each reply invalidates a tag of its own call; one without tags none")
  void ownTags() {
    bed = MachineBed.invalidating(false);
    bed.receive(offering(0x11111111, 0xaaaa));
    bed.receive(offering(0x22222222, 0xbbbb));
    bed.receive("33333333 00000001 00000020 00000000" + NO_LISTS + "33333333" + CALL);
    IncomingCall first = bed.incoming.remove(0);
    serve(4);
    serve(4);
    bed.incoming.add(first);
    serve(4);
    assertThat(bed.takeSent()).extracting(line -> line.substring(0, Math.min(16, line.length())))
        .containsExactly("invalidates bbbb", "22222222 0000000", "33333333 0000000",
            "invalidates aaaa", "11111111 0000000");
  }

  @Test
  @DisplayName("RFC 8797 §4.1: a peer that has not said so gets plain Sends")
  void notAgreed() {
    bed = new MachineBed(false);
    bed.receive(offering(0x11111111, 0xaaaa));
    serve(4);
    assertThat(bed.takeSent()).singleElement().asString().startsWith("11111111");
  }

  @Test
  @DisplayName("B-038: an error is sent plainly, even to a peer that copes with more")
  void errorsArePlain() {
    bed = MachineBed.invalidating(false);
    bed.receive(offering(0x11111111, 0xaaaa));
    serve(3000);
    assertThat(bed.takeSent())
        .containsExactly("11111111 00000001 00000003 00000004 00000002");
  }

  @Test
  @DisplayName("B-038 R-325: an RDMA_ERROR invalidates nothing; all is revoked before its call ends")
  void errorLeavesAllExposed() {
    MachineBed.Heard outcome = bed.call(2000, 1500);
    bed.held = true;
    bed.receive("51000000 00000001 00000004 00000004 00000002");
    assertThat(bed.revoked).containsExactlyInAnyOrder("1001", "1002");
    bed.answer();
    assertThat(outcome.events).as("one chunk is not out of reach yet").isEmpty();
    bed.answer();
    assertThat(outcome.events).containsExactly("REMOTE_ERROR");
  }

  @Test
  @DisplayName("R-171 R-325: what the peer has not invalidated of a call is revoked, and nothing twice")
  void theRestIsRevoked() {
    MachineBed.Heard outcome = bed.call(2000, 1500);
    bed.held = true;
    bed.receive(reply(0x51000000), OptionalInt.of(FIRST_TAG));
    assertThat(bed.revoked).containsExactly("1002");
    assertThat(outcome.events).isEmpty();
    bed.answer();
    assertThat(outcome.events).containsExactly("reply 00000001");
  }

  @Test
  @DisplayName("B-037: the tag of another call, and a tag that was revoked before")
  void foreignTags() {
    bed.call(4);
    bed.receive(reply(0x51000000));
    MachineBed.Heard first = bed.call(2000);
    MachineBed.Heard second = bed.call(2000);
    bed.receive(reply(0x51000001), OptionalInt.of(SECOND_TAG));
    assertThat(bed.disconnected).contains("does not belong to its reply");
    bed.lose(bed.disconnected);
    assertThat(first.events).hasSize(1);
    assertThat(second.events).hasSize(1);

    bed = MachineBed.invalidating(true);
    bed.call(2000);
    bed.now = 10 * MachineBed.SECOND;
    bed.deadlines.advance(5 * MachineBed.SECOND);
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.revoked).containsExactly("1001");
    bed.receive(reply(0x51000000), OptionalInt.of(FIRST_TAG));
    assertThat(bed.disconnected).contains("does not belong to its reply");
  }

  @Test
  @DisplayName("R-172: a late reply may invalidate a tag while it is being revoked")
  void whileRevoking() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.deadlines.advance(5 * MachineBed.SECOND);
    bed.held = true;
    bed.deadlines.advance(10 * MachineBed.SECOND);
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(bed.regions).isEqualTo(1);
    bed.receive(reply(0x51000000), OptionalInt.of(FIRST_TAG));
    assertThat(bed.regions).isZero();
    bed.answer();
    assertThat(bed.disconnected).isEmpty();
    assertThat(outcome.events).containsExactly("TIMEOUT");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "",
      "51000000 00000001 00000004",
      "51000000 00000001 00000004 00000000 00000000",
      "51000000 00000001 00000004 00000003",
      "51000000 00000001 00000004 00000004 00000009",
      "51000000 00000001 00000004 00000004",
      "99999999 00000001 00000004 00000004 00000002",
      "99999999 00000001 00000004 00000009 " + NO_LISTS,
      "99999999 00000002 00000004 00000000 " + NO_LISTS,
      "99999999 00000001 00000004 00000002 " + NO_LISTS,
      "99999999 00000001 00000004 00000000 " + NO_LISTS + "99999999" + SUCCESS,
      "51000000 00000001 00000004 00000000 " + NO_LISTS + "51000000" + CALL})
  @DisplayName("B-037: who invalidates a tag with a message that is no reply to its call is cut off")
  void noReply(String message) {
    for (boolean client : new boolean[] {true, false}) {
      bed = MachineBed.invalidating(client);
      MachineBed.Heard outcome = bed.call(2000);
      bed.receive(message, OptionalInt.of(FIRST_TAG));
      assertThat(bed.disconnected).contains("invalidated a steering tag");
      // Its deadline comes before the connection has gone.
      bed.deadlines.advance(5 * MachineBed.SECOND);
      bed.lose(bed.disconnected);
      assertThat(outcome.events).hasSize(1);
      nothingIsLeft();
    }
  }

  @Test
  @DisplayName("R-304 B-037: nor does the answer to a message of another header type invalidate anything")
  void extension() {
    bed.answerType(7, body -> new byte[0]);
    bed.call(new XdrWriter().opaque(new byte[2000]));
    bed.receive("99999999 00000001 00000004 00000007", OptionalInt.of(FIRST_TAG));
    assertThat(bed.disconnected).contains("invalidated a steering tag");
  }
}
