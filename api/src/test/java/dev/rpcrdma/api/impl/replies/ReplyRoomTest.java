// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.impl.replies.ReplyRoom.Line;
import dev.rpcrdma.api.impl.replies.ReplyRoom.Share;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyRoomTest {

  private static final long MAX = 100;

  private final ArrayDeque<Runnable> looks = new ArrayDeque<>();
  private final List<Integer> told = new ArrayList<>();
  private long now;
  private final ReplyRoom room =
      new ReplyRoom(MAX, () -> now, looks::add, crowded -> told.add(crowded.waiting()), null);
  private final Line first = new Line();
  private final Line second = new Line();

  /** A call that notes its share. */
  private final class Call implements ReplyRoom.Waiting {

    private final int bytes;
    private final long deadline;
    private Share share;

    Call(Line line, int bytes, long deadline) {
      this.bytes = bytes;
      this.deadline = deadline;
      Share at = room.enter(bytes, deadline);
      if (at != null) {
        admitted(at);
      } else {
        room.await(line, this);
      }
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public long deadline() {
      return deadline;
    }

    @Override
    public void admitted(Share given) {
      assertThat(share).as("let in once").isNull();
      share = given;
    }

    boolean in() {
      return share != null;
    }
  }

  private Call call(Line line, int bytes) {
    return new Call(line, bytes, Long.MAX_VALUE);
  }

  private void patienceIsOver() {
    looks.poll().run();
  }

  @Test
  @DisplayName("Fails if calls get in beyond the bound, or do not when others leave")
  void bound() {
    Call one = call(first, 60);
    Call two = call(first, 40);
    Call three = call(second, 30);
    assertThat(one.in() && two.in()).isTrue();
    assertThat(three.in()).isFalse();
    assertThat(room.usedBytes()).isEqualTo(100);
    assertThat(room.waiting()).isEqualTo(1);
    two.share.run();
    assertThat(three.in()).isTrue();
    assertThat(room.usedBytes()).isEqualTo(90);
    two.share.run();
    assertThat(room.usedBytes()).as("twice").isEqualTo(90);
  }

  @Test
  @DisplayName("Fails if a call that takes more than there is never gets in, or gets in beside others")
  void largerThanTheRoom() {
    Call small = call(first, 10);
    Call large = call(first, 1000);
    assertThat(large.in()).isFalse();
    small.share.run();
    assertThat(large.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if one connection's calls get in before the others have had a turn")
  void turns() {
    Call all = call(first, 100);
    Call firstOfFirst = call(first, 100);
    Call secondOfFirst = call(first, 100);
    Call ofSecond = call(second, 100);
    all.share.run();
    assertThat(firstOfFirst.in()).isTrue();
    firstOfFirst.share.run();
    assertThat(ofSecond.in()).isTrue();
    assertThat(secondOfFirst.in()).isFalse();
    ofSecond.share.run();
    assertThat(secondOfFirst.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a short call overtakes a long one that waits, which may wait for ever then")
  void inOrder() {
    call(first, 60);
    Call large = call(first, 80);
    Call small = call(second, 10);
    assertThat(large.in() || small.in()).isFalse();
  }

  @Test
  @DisplayName("Fails if replies count by what was expected when they are made")
  void made() {
    Call one = call(first, 100);
    Call two = call(first, 50);
    one.share.made(20);
    assertThat(two.in()).isTrue();
    assertThat(room.usedBytes()).isEqualTo(70);
    two.share.made(500);
    assertThat(room.usedBytes()).isEqualTo(520);
    one.share.run();
    two.share.run();
    assertThat(room.usedBytes()).isZero();
    two.share.made(7);
    assertThat(room.usedBytes()).as("made when it had left").isZero();
  }

  @Test
  @DisplayName("Fails if a long reply that nobody expected does not count")
  void unexpected() {
    Share share = room.take(300);
    Call call = call(first, 10);
    assertThat(call.in()).isFalse();
    share.run();
    assertThat(call.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a call that waits no longer keeps those behind it waiting, or gets in")
  void withdrawn() {
    Call one = call(first, 90);
    Call large = call(second, 50);
    Call small = call(first, 10);
    room.withdraw(second, large);
    assertThat(small.in()).isTrue();
    assertThat(room.waiting()).isZero();
    one.share.run();
    assertThat(large.in()).isFalse();
    room.withdraw(first, small);
    assertThat(room.usedBytes()).as("let in already").isEqualTo(10);
  }

  @Test
  @DisplayName("Fails if calls that wait for each other wait for ever")
  void progress() {
    call(first, 100);
    Call two = call(first, 100);
    Call three = call(second, 100);
    assertThat(two.in() || three.in()).isFalse();
    patienceIsOver();
    assertThat(two.in()).isTrue();
    assertThat(three.in()).isFalse();
    patienceIsOver();
    assertThat(three.in()).isTrue();
    patienceIsOver();
    assertThat(looks).as("nobody waits, nobody looks").isEmpty();
    assertThat(told).containsExactly(2, 1);
  }

  @Test
  @DisplayName("Fails if calls get in beyond the bound though others leave")
  void noProgressNeeded() {
    Call one = call(first, 50);
    call(first, 50);
    Call large = call(first, 90);
    one.share.run();
    patienceIsOver();
    assertThat(large.in()).isFalse();
    patienceIsOver();
    assertThat(large.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a service that does not answer keeps its room when its time is over")
  void late() {
    Call one = new Call(first, 100, 5);
    Call made = new Call(first, 1, 5);
    patienceIsOver();
    made.share.made(2);
    Call two = call(first, 100);
    now = 5;
    patienceIsOver();
    assertThat(room.usedBytes()).as("a reply that is made stays").isEqualTo(2);
    assertThat(two.in()).isFalse();
    made.share.run();
    assertThat(two.in()).isTrue();
    one.share.made(77);
    assertThat(room.usedBytes()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @DisplayName("Fails if room is lost or made up, or a call is forgotten, whatever happens in whatever order")
  void anyOrder(long seed) {
    Random random = new Random(seed);
    List<Line> lines = List.of(first, second, new Line());
    List<Call> in = new ArrayList<>();
    List<Call> out = new ArrayList<>();
    List<Line> lineOf = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      int what = random.nextInt(10);
      if (what < 5) {
        Line line = lines.get(random.nextInt(3));
        out.add(call(line, 1 + random.nextInt(60)));
        lineOf.add(line);
      } else if (what < 9 && !in.isEmpty()) {
        Call call = in.remove(random.nextInt(in.size()));
        if (random.nextBoolean()) {
          call.share.made(random.nextInt(call.bytes + 1));
        }
        call.share.run();
      } else if (!out.isEmpty()) {
        int at = random.nextInt(out.size());
        room.withdraw(lineOf.remove(at), out.remove(at));
      }
      for (int i = out.size() - 1; i >= 0; i--) {
        if (out.get(i).in()) {
          lineOf.remove(i);
          in.add(out.remove(i));
        }
      }
      assertThat(room.usedBytes()).isEqualTo(in.stream().mapToLong(call -> call.bytes).sum())
          .isLessThanOrEqualTo(MAX);
      assertThat(room.waiting()).isEqualTo(out.size());
    }
    while (!in.isEmpty()) {
      in.remove(0).share.run();
      out.stream().filter(Call::in).forEach(in::add);
      out.removeIf(Call::in);
    }
    assertThat(out).isEmpty();
    assertThat(room.usedBytes()).isZero();
  }
}
