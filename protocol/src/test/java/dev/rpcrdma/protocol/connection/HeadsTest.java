// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Long calls, of which nothing but the head is pulled before somebody has said who makes them. */
class HeadsTest {

  private static final int TAG = 0x777;
  private static final int LENGTH = 50_000;
  private static final int HEAD = 32 * 1024;
  private static final String TOO_WEAK = "00000001 00000001 00000001 00000005";
  private static final String ERR_CHUNK = "11111111 00000001 00000003 00000004 00000002";

  private final MachineBed bed = new MachineBed(MachineBed.like(false));
  private final List<Authenticator.Listener> judges = new ArrayList<>();
  private final byte[] message = message();

  /** A call whose arguments are numbers. */
  private static byte[] message() {
    ByteBuffer all = ByteBuffer.allocate(LENGTH).put(Hex.bytes("11111111" + MachineBed.CALL));
    for (int i = 0; all.hasRemaining(); i++) {
      all.putInt(i);
    }
    return all.array();
  }

  private HeadsTest() {
    bed.readable.put(TAG, message);
  }

  @AfterEach
  void rest() {
    bed.endServices();
    bed.checkAtRest();
  }

  /** A Long call of so many bytes, in segments of so many. */
  private static String call(int... segments) {
    StringBuilder call = new StringBuilder("11111111 00000001 00000020 00000001");
    int offset = 0;
    for (int length : segments) {
      call.append("00000001 00000000 %08x %08x 00000000 %08x".formatted(TAG, length, offset));
      offset += length;
    }
    return call + "00000000 00000000 00000000";
  }

  private void judgeLater() {
    bed.authenticator = (call, head, later) -> {
      judges.add(later);
      return Verdict.PENDING;
    };
  }

  private void letIn() {
    judges.remove(0).judged(CallSecurity.NONE);
    bed.settle();
  }

  private void assertArguments(int bytes) {
    int argument = 0;
    for (int left = bytes - 40; left > 0; left -= 4) {
      assertThat(bed.incoming.get(0).arguments().int32()).isEqualTo(argument++);
    }
    bed.incoming.get(0).arguments().end();
  }

  /** Fails if {@code IncomingCall.headOnly} takes all of the chunk. */
  @Test
  @DisplayName("R-320: of a Long call that is refused nothing but the head was pulled, whatever its length")
  void refused() {
    bed.authenticator = (call, head, later) -> {
      assertThat(head.limit()).isEqualTo(HEAD);
      return new Verdict.Refused(AuthStatus.TOOWEAK);
    };
    bed.receive(call(LENGTH));
    assertThat(bed.takeSent()).singleElement().asString().endsWith(TOO_WEAK);
    assertThat(bed.bytesPulled).isEqualTo(HEAD);
  }

  /** Fails if {@code ReadChunk.first} or {@code behind} counts from another segment. */
  @Test
  @DisplayName("The rest of a Long call is pulled behind its head, however it is cut into segments")
  void cut() {
    int[][] cuts = {{LENGTH}, {HEAD, LENGTH - HEAD}, {HEAD - 1, 2, LENGTH - HEAD - 1}, {100, 0, LENGTH - 100},
        {HEAD + 1, LENGTH - HEAD - 1}, {HEAD}, {HEAD + 4}, {48}, {40}};
    for (int[] segments : cuts) {
      int length = Arrays.stream(segments).sum();
      bed.bytesPulled = 0;
      bed.receive(call(segments));
      assertArguments(length);
      assertThat(bed.bytesPulled).as("no byte twice").isEqualTo(length);
      bed.endServices();
      bed.incoming.clear();
    }
  }

  /** Fails if {@code Puller.ready} reads from the beginning. */
  @Test
  @DisplayName("R-334: what was judged is what is executed, whatever the caller does to its memory meanwhile")
  void changedMeanwhile() {
    judgeLater();
    bed.receive(call(LENGTH));
    bed.readable.put(TAG, new byte[LENGTH]);
    System.arraycopy(message, HEAD, bed.readable.get(TAG), HEAD, LENGTH - HEAD);
    letIn();
    assertThat(bed.incoming.get(0).header().program()).isEqualTo(9);
    assertArguments(LENGTH);
  }

  /** Fails if {@code Responder.judged} does not go on with the rest; and if the head keeps its memory. */
  @Test
  @DisplayName("While a verdict is awaited nothing more is pulled, and no memory is held")
  void pending() {
    judgeLater();
    bed.receive(call(LENGTH));
    assertThat(bed.bytesPulled).isEqualTo(HEAD);
    assertThat(bed.regions).isZero();
    letIn();
    assertArguments(LENGTH);
  }

  /** Fails if {@code Responder.call} has heads pulled by {@code puller}. */
  @Test
  @DisplayName("Heads do not wait for calls that hold all that is held for a peer")
  void besideOthers() {
    bed.authenticator = (call, head, later) -> call.credential().body().length == 0 && bed.incoming.size() > 2
        ? new Verdict.Refused(AuthStatus.TOOWEAK) : CallSecurity.NONE;
    for (int i = 0; i < 3; i++) {
      bed.receive(call(LENGTH));
    }
    assertThat(bed.incoming).as("three times 50 000 of 150 000 bytes").hasSize(3);
    bed.receive(call(LENGTH));
    assertThat(bed.takeSent()).singleElement().asString().endsWith(TOO_WEAK);
  }

  /** Fails if {@code Responder.goOn} dispatches what is still to be pulled. */
  @Test
  @DisplayName("Data items beside a short Payload stream in a Read chunk are pulled when the call is let in")
  void itemsBeside() {
    judgeLater();
    bed.readable.put(TAG, Hex.bytes("11111111" + MachineBed.CALL + "00000008"));
    bed.receive("11111111 00000001 00000020 00000001"
        + "00000001 00000000 %08x 0000002c 00000000 00000000".formatted(TAG)
        + "00000001 0000002c 000000aa 00000008 00000000 00000000 00000000 00000000 00000000");
    assertThat(bed.bytesPulled).isEqualTo(44);
    letIn();
    assertThat(bed.bytesPulled).isEqualTo(52);
    assertThat(bed.incoming.get(0).arguments().dataItem(8).toByteArray()).containsOnly(0xaa);
    bed.incoming.get(0).arguments().end();
  }

  /** Fails if {@code Responder.pulledInTime} does not ask whether the pull has failed, or does not say why. */
  @Test
  @DisplayName("R-142: without memory for a head, or for what is behind it, a Long call is answered ERR_CHUNK")
  void noMemory() {
    bed.memoryFails = true;
    bed.receive(call(LENGTH));
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
    assertThat(bed.refused).singleElement().asString().contains(HEAD + " bytes", "None left");
    bed.memoryFails = false;
    bed.largestRegion = HEAD;
    bed.receive(call(LENGTH));
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
    assertThat(bed.incoming).isEmpty();
  }

  /** Fails if {@code Responder.call} does not ask whether there can be room for the whole. */
  @Test
  @DisplayName("R-327: nothing is pulled of a Long call whose chunks are more than is held for a peer")
  void tooLong() {
    bed.receive("11111111 00000001 00000020 00000001"
        + "00000001 00000000 %08x 0000ea60 00000000 00000000".formatted(TAG)
        + "00000001 00000400 000000aa 00015f91 00000000 00000000 00000000 00000000 00000000");
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
    assertThat(bed.bytesPulled).isZero();
  }

  /** Fails if {@code Responder.judged} does not ask whether the connection is fenced. */
  @Test
  @DisplayName("A connection that ends while a head is pulled, judged, or followed by the rest leaves nothing")
  void lost() {
    for (int steps = 0; steps < 3; steps++) {
      MachineBed other = new MachineBed(MachineBed.like(false));
      other.readable.put(TAG, message);
      other.authenticator = (call, head, later) -> {
        judges.add(later);
        return Verdict.PENDING;
      };
      other.held = true;
      other.receive(call(LENGTH));
      if (steps > 0) {
        other.answer();
      }
      if (steps > 1) {
        judges.remove(0).judged(CallSecurity.NONE);
      }
      other.machine.fence("The client has connected anew");
      other.held = false;
      other.settle();
      judges.forEach(judge -> judge.judged(CallSecurity.NONE));
      judges.clear();
      assertThat(other.incoming).isEmpty();
      other.lose("cut");
      other.checkAtRest();
    }
  }
}
