// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.responder.IncomingCalls;
import dev.rpcrdma.protocol.responder.Reply;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is remembered of callers that show no session, and for how long. */
class ForeignCacheTest {

  private static final long TIME = 1000;

  private final Deadlines deadlines = new Deadlines();
  private final ForeignCache cache = new ForeignCache(3, TIME, deadlines, 100);

  private IncomingCalls.Repeated call(int xid) {
    return IncomingCalls.repeated(xid, new byte[] {1, 2, 3}, OpaqueAuth.NONE);
  }

  private static Reply reply(int bytes) {
    return Reply.success(7, new XdrWriter().fixedOpaque(new byte[bytes]).toPayloadStream());
  }

  private void execute(IncomingCall call, int bytes) {
    execute(cache, call, bytes);
  }

  private static void execute(ForeignCache cache, IncomingCall call, int bytes) {
    assertThat(cache.admit(call, false, 0)).isTrue();
    call.record().replied(() -> reply(bytes));
  }

  private boolean known(IncomingCall call) {
    return known(cache, call);
  }

  private static boolean known(ForeignCache cache, IncomingCall call) {
    return !cache.admit(call, false, 0);
  }

  @Test
  @DisplayName("B-096: who repeats a call that is executed waits for its end")
  void repeatedDuringExecution() {
    IncomingCalls.Repeated first = call(7);
    assertThat(cache.admit(first.call(), false, 0)).isTrue();
    IncomingCalls.Repeated second = call(7);
    IncomingCalls.Repeated third = call(7);
    assertThat(known(second.call())).isTrue();
    assertThat(known(third.call())).isTrue();
    assertThat(second.answers()).isEmpty();
    first.call().record().replied(() -> reply(8));
    assertThat(second.answers()).containsExactly("8 bytes");
    assertThat(third.answers()).containsExactly("8 bytes");
    IncomingCalls.Repeated fourth = call(7);
    assertThat(known(fourth.call())).isTrue();
    assertThat(fourth.answers()).containsExactly("8 bytes");
  }

  @Test
  @DisplayName("B-095: a call is known again however it is cut into chunks, with or without padding")
  void otherChunks() {
    byte[] item = {9, 8, 7, 6, 5};
    execute(IncomingCalls.withItem(7, item, false, false), 8);
    assertThat(known(IncomingCalls.withItem(7, item, true, false))).isTrue();
    assertThat(known(IncomingCalls.withItem(7, item, true, true))).isTrue();
    assertThat(known(IncomingCalls.withItem(7, new byte[] {9, 8, 7, 6, 4}, true, false))).isFalse();
  }

  @Test
  @DisplayName("Two calls under one XID that differ far behind their beginning, or in length alone, are two")
  void wholeMessage() {
    byte[] one = new byte[5000];
    byte[] other = new byte[5000];
    other[4999] = 1;
    execute(IncomingCalls.inline(7, one), 8);
    assertThat(known(IncomingCalls.inline(7, other))).isFalse();
    assertThat(known(IncomingCalls.inline(7, one))).isTrue();
  }

  @Test
  @DisplayName("Two calls of different length are two, also if their checksums are the same")
  void length() {
    byte[] shorter = {1, 2, 3, 4};
    byte[] longer = Arrays.copyOf(shorter, 12);
    IncomingCall first = IncomingCalls.inline(9, shorter);
    int checksum = first.fingerprint().checksum();
    // The last four bytes of a message can be chosen so that its checksum is any number.
    byte[] forged = withChecksum(longer, checksum);
    IncomingCall second = IncomingCalls.inline(9, forged);
    assertThat(second.fingerprint().checksum()).isEqualTo(checksum);
    execute(first, 8);
    assertThat(known(second)).isFalse();
  }

  /** Arguments whose message has a checksum; found bit by bit, since CRCs are linear. */
  private static byte[] withChecksum(byte[] arguments, int wanted) {
    int at = arguments.length - 4;
    int zero = checksum(arguments);
    int[] effects = new int[32];
    int[] bits = new int[32];
    for (int bit = 0; bit < 32; bit++) {
      arguments[at + bit / 8] ^= (byte) (1 << bit % 8);
      effects[bit] = checksum(arguments) ^ zero;
      bits[bit] = 1 << bit;
      arguments[at + bit / 8] ^= (byte) (1 << bit % 8);
    }
    int left = wanted ^ zero;
    int chosen = 0;
    for (int column = 0; column < 32; column++) {
      int pivot = column;
      while ((effects[pivot] >>> column & 1) == 0) {
        pivot++;
      }
      int effect = effects[pivot];
      int choice = bits[pivot];
      effects[pivot] = effects[column];
      bits[pivot] = bits[column];
      effects[column] = effect;
      bits[column] = choice;
      for (int other = 0; other < 32; other++) {
        if (other != column && (effects[other] >>> column & 1) != 0) {
          effects[other] ^= effect;
          bits[other] ^= choice;
        }
      }
    }
    for (int column = 0; column < 32; column++) {
      if ((left >>> column & 1) != 0) {
        chosen ^= bits[column];
      }
    }
    for (int bit = 0; bit < 32; bit++) {
      if ((chosen >>> bit & 1) != 0) {
        arguments[at + bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
    return arguments;
  }

  private static int checksum(byte[] arguments) {
    return IncomingCalls.inline(9, arguments).fingerprint().checksum();
  }

  @Test
  @DisplayName("One user of a host does not get another one's reply; and is known again by whatever"
      + " credential says that it is he")
  void principals() {
    byte[] arguments = {1, 2, 3};
    ForeignCache cache = new ForeignCache(10, TIME, deadlines, 100);
    OpaqueAuth user = new AuthSys(1, "host", 1000, 100, List.of(4, 24)).toAuth();
    OpaqueAuth again = new AuthSys(2, "host", 1000, 100, List.of(4, 24)).toAuth();
    execute(cache, IncomingCalls.repeated(7, arguments, user).call(), 8);
    assertThat(known(cache, IncomingCalls.repeated(7, arguments, again).call())).isTrue();
    for (AuthSys other : List.of(new AuthSys(1, "host", 1001, 100, List.of(4, 24)),
        new AuthSys(1, "host", 1000, 101, List.of(4, 24)),
        new AuthSys(1, "host", 1000, 100, List.of(4)))) {
      assertThat(known(cache, IncomingCalls.repeated(7, arguments, other.toAuth()).call()))
          .as("%s", other).isFalse();
    }
    assertThat(known(cache, IncomingCalls.repeated(7, arguments, OpaqueAuth.NONE).call())).isFalse();
    assertThat(known(cache, IncomingCalls.repeated(7, arguments, OpaqueAuth.NONE).call())).isTrue();
  }

  @Test
  @DisplayName("Another call under an XID that is being executed is remembered, too")
  void sameXid() {
    assertThat(known(call(8).call())).isFalse();
    IncomingCall other = IncomingCalls.inline(8, new byte[] {5});
    execute(other, 12);
    assertThat(known(IncomingCalls.inline(8, new byte[] {5}))).isTrue();
  }

  @Test
  @DisplayName("So many calls are remembered, and of their replies no more bytes than allowed; none is"
      + " executed again for want of its reply alone")
  void bounds() {
    execute(call(1).call(), 60);
    execute(call(2).call(), 60);
    assertThat(cache.bytes()).isEqualTo(60);
    execute(call(3).call(), 120);
    IncomingCalls.Repeated[] again = {call(1), call(2), call(3)};
    for (IncomingCalls.Repeated repeated : again) {
      assertThat(known(repeated.call())).isTrue();
    }
    assertThat(again[0].answers()).containsExactly("gone");
    assertThat(again[1].answers()).containsExactly("60 bytes");
    assertThat(again[2].answers()).containsExactly("gone");
    execute(call(4).call(), 8);
    assertThat(cache.size()).isEqualTo(3);
    assertThat(known(call(2).call())).isTrue();
    assertThat(known(call(1).call())).as("forgotten, as the one that was answered first").isFalse();
  }

  @Test
  @DisplayName("When all that is remembered is being executed, others are executed all the same")
  void stuck() {
    for (int xid = 1; xid <= 3; xid++) {
      assertThat(known(call(xid).call())).isFalse();
    }
    IncomingCall more = call(4).call();
    assertThat(known(more)).isFalse();
    assertThat(more.record()).isNull();
    assertThat(cache.size()).isEqualTo(3);
    for (int xid = 1; xid <= 3; xid++) {
      assertThat(known(call(xid).call())).isTrue();
    }
  }

  @Test
  @DisplayName("A call is remembered for a time, from when it was whole")
  void time() {
    IncomingCall first = call(7).call();
    assertThat(cache.admit(first, false, 50)).isTrue();
    first.record().replied(() -> reply(8));
    assertThat(cache.admit(call(7).call(), false, 50 + TIME)).isFalse();
    assertThat(cache.bytes()).isEqualTo(8);
    assertThat(cache.admit(call(7).call(), false, 51 + TIME)).isTrue();
    assertThat(cache.bytes()).as("its reply went with it").isZero();
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("A cache has room for one call at least, and for a reply of just as many bytes as it may keep")
  void least() {
    assertThatThrownBy(() -> new ForeignCache(0, TIME, deadlines, 100))
        .isInstanceOf(IllegalArgumentException.class);
    ForeignCache one = new ForeignCache(1, TIME, deadlines, 100);
    execute(one, call(1).call(), 100);
    IncomingCalls.Repeated again = call(1);
    assertThat(known(one, again.call())).isTrue();
    assertThat(again.answers()).containsExactly("100 bytes");
  }

  @Test
  @DisplayName("An execution without a connection has a deadline until it has ended, or is forgotten")
  void orphans() {
    IncomingCall first = call(1).call();
    IncomingCall second = call(2).call();
    IncomingCall third = call(3).call();
    for (IncomingCall orphan : List.of(first, second, third)) {
      assertThat(cache.admit(orphan, false, 0)).isTrue();
      orphan.record().orphaned(500 + orphan.xid());
    }
    first.record().replied(() -> reply(8));
    assertThat(deadlines.next()).isEqualTo(502);
    second.record().refused(reply(8));
    assertThat(deadlines.next()).isEqualTo(503);
    cache.clear();
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(known(third)).isFalse();
  }

  @Test
  @DisplayName("R-152: what the peer's device has refused is forgotten with all else")
  void refusals() {
    for (int i = 0; i < 3; i++) {
      cache.operationsFailed(7);
    }
    assertThat(cache.hopeless(7)).isTrue();
    cache.clear();
    assertThat(cache.hopeless(7)).isFalse();
  }

  @Test
  @DisplayName("A call that may be executed again is known while it is executed, and not afterwards")
  void repeatable() {
    IncomingCall first = call(7).call();
    assertThat(cache.admit(first, true, 0)).isTrue();
    IncomingCalls.Repeated second = call(7);
    assertThat(cache.admit(second.call(), true, 0)).isFalse();
    first.record().replied(() -> reply(8));
    assertThat(second.answers()).containsExactly("8 bytes");
    assertThat(cache.size()).isZero();
    assertThat(cache.admit(call(7).call(), true, 0)).isTrue();
  }

  @Test
  @DisplayName("B-098: a reply that is kept is a copy, and nothing of the service's")
  void copies() {
    byte[] bytes = {1, 2, 3, 4};
    IncomingCall first = call(7).call();
    cache.admit(first, false, 0);
    first.record().replied(
        () -> Reply.success(7, new XdrWriter().dataItem(DataItem.of(bytes)).toPayloadStream()));
    bytes[0] = 99;
    IncomingCalls.Repeated again = call(7);
    cache.admit(again.call(), false, 0);
    assertThat(again.replies().get(0).items().get(0).data().toByteArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  @DisplayName("What is forgotten is forgotten, and what is being executed is not remembered")
  void clear() {
    execute(call(1).call(), 8);
    IncomingCall running = call(2).call();
    cache.admit(running, false, 0);
    cache.clear();
    assertThat(cache.size()).isZero();
    assertThat(cache.bytes()).isZero();
    running.record().replied(() -> reply(8));
    assertThat(cache.size()).isZero();
    assertThat(cache.bytes()).isZero();
    assertThat(known(call(1).call())).isFalse();
    assertThat(known(call(2).call())).isFalse();
  }

  @Test
  @DisplayName("R-152: after three refusals by the caller's device, a call is hopeless")
  void hopeless() {
    cache.operationsFailed(5);
    cache.operationsFailed(5);
    assertThat(cache.hopeless(5)).isFalse();
    cache.operationsFailed(5);
    assertThat(cache.hopeless(5)).isTrue();
    assertThat(cache.hopeless(6)).isFalse();
    // Not for ever: others come.
    for (int xid = 1000; xid < 1256; xid++) {
      cache.operationsFailed(xid);
    }
    assertThat(cache.hopeless(5)).isFalse();
  }
}
