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
  private final Line third = new Line();

  /** A call that notes its share. */
  private final class Call implements ReplyRoom.Waiting {

    private final int bytes;
    private final long deadline;
    private Share share;

    Call(int bytes, long deadline) {
      this.bytes = bytes;
      this.deadline = deadline;
    }

    Call enter(Line line) {
      Share at = room.enter(line, bytes, deadline);
      if (at != null) {
        admitted(at);
      } else {
        room.await(line, this);
      }
      return this;
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
    return new Call(bytes, Long.MAX_VALUE).enter(line);
  }

  private void patienceIsOver() {
    looks.poll().run();
  }

  @Test
  @DisplayName("Fails if calls get in beyond the bound, or do not when others leave")
  void bound() {
    Call one = call(first, 60);
    Call two = call(second, 40);
    Call three = call(third, 30);
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
  @DisplayName("Fails if a connection has more than all leave free, or others wait for what it waits for")
  void shares() {
    Call one = call(first, 30);
    assertThat(call(first, 20).in()).isTrue();
    Call more = call(first, 1);
    assertThat(more.in()).as("half of the room is left").isFalse();
    assertThat(call(second, 20).in()).isTrue();
    assertThat(call(second, 11).in()).as("each has no more than a third").isFalse();
    one.share.run();
    assertThat(more.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a connection has more than half when its calls are large")
  void half() {
    for (int i = 0; i < 5; i++) {
      call(first, 33);
    }
    assertThat(room.usedBytes()).isEqualTo(33);
    for (int i = 0; i < 5; i++) {
      call(second, 20);
    }
    assertThat(room.usedBytes()).isEqualTo(53);
  }

  @Test
  @DisplayName("Fails if a call that waits for its connection's share keeps those behind it waiting for room")
  void passedOver() {
    call(first, 30);
    Call forItsShare = call(first, 50);
    Call all = call(second, 70);
    Call forRoom = call(third, 5);
    assertThat(forRoom.in()).isFalse();
    all.share.run();
    assertThat(forRoom.in()).isTrue();
    assertThat(forItsShare.in()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 9})
  @DisplayName("Fails if peers that do not take their replies have others wait")
  void greedy(int peers) {
    List<Line> greedy = new ArrayList<>();
    for (int i = 0; i < peers; i++) {
      greedy.add(new Line());
    }
    for (int i = 0; i < 100; i++) {
      greedy.forEach(line -> call(line, 1));
    }
    assertThat(room.usedBytes()).isLessThanOrEqualTo(MAX * peers / (peers + 1));
    for (int i = 0; i < 100; i++) {
      Call other = call(second, 5);
      assertThat(other.in()).isTrue();
      other.share.made(7);
      other.share.run();
    }
  }

  @Test
  @DisplayName("Fails if a call that takes more than there is never gets in")
  void largerThanTheRoom() {
    Call small = call(first, 10);
    Call large = call(first, 1000);
    assertThat(large.in()).isFalse();
    small.share.run();
    assertThat(large.in()).isTrue();
    assertThat(call(second, 1).in()).isFalse();
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
  @DisplayName("Fails if a short call overtakes a long one of its connection that waits, which may wait for ever then")
  void inOrder() {
    call(first, 40);
    Call large = call(first, 50);
    Call small = call(first, 5);
    assertThat(large.in() || small.in()).isFalse();
    assertThat(call(second, 5).in()).as("of another connection").isTrue();
  }

  @Test
  @DisplayName("Fails if a call waits for room that has become free before it began to wait")
  void freeMeanwhile() {
    Call all = call(first, 100);
    assertThat(room.enter(second, 5, Long.MAX_VALUE)).isNull();
    all.share.run();
    Call late = new Call(5, Long.MAX_VALUE);
    room.await(second, late);
    assertThat(late.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if replies count by what was expected when they are made")
  void made() {
    Call one = call(first, 100);
    Call two = call(second, 50);
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
  @DisplayName("Fails if a reply of no length is not counted among those that have left")
  void empty() {
    Call none = call(first, 1);
    call(second, 100);
    Call waits = call(third, 5);
    none.share.made(0);
    none.share.run();
    patienceIsOver();
    assertThat(waits.in()).as("one has left").isFalse();
    patienceIsOver();
    assertThat(waits.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a long reply that nobody expected does not count")
  void unexpected() {
    Share share = room.take(first, 300);
    Call call = call(second, 10);
    assertThat(call.in()).isFalse();
    share.run();
    assertThat(call.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a call that waits no longer keeps those behind it waiting, or gets in")
  void withdrawn() {
    Call one = call(second, 30);
    Call large = call(second, 90);
    Call small = call(second, 10);
    assertThat(small.in()).isFalse();
    room.withdraw(second, large);
    assertThat(small.in()).isTrue();
    assertThat(room.waiting()).isZero();
    one.share.run();
    assertThat(large.in()).isFalse();
    room.withdraw(second, small);
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
    call(first, 20);
    Call other = call(second, 20);
    call(first, 30);
    Call large = call(first, 40);
    other.share.run();
    patienceIsOver();
    assertThat(large.in()).isFalse();
    patienceIsOver();
    assertThat(large.in()).isTrue();
  }

  @Test
  @DisplayName("Fails if a service that does not answer keeps its room when its time is over")
  void late() {
    Call one = new Call(100, 5).enter(first);
    Call made = new Call(1, 5).enter(second);
    patienceIsOver();
    made.share.made(2);
    Call two = call(third, 100);
    assertThat(two.in()).isFalse();
    now = 5;
    patienceIsOver();
    assertThat(room.usedBytes()).as("a reply that is made stays").isEqualTo(102);
    assertThat(two.in()).isTrue();
    one.share.made(77);
    made.share.run();
    assertThat(room.usedBytes()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @DisplayName("Fails if room is lost or made up, or a call is forgotten, whatever happens in whatever order")
  void anyOrder(long seed) {
    Random random = new Random(seed);
    int most = 60;
    List<Line> lines = List.of(first, second, third);
    List<Call> in = new ArrayList<>();
    List<Call> out = new ArrayList<>();
    List<Line> lineOf = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      int what = random.nextInt(10);
      if (what < 5) {
        Line line = lines.get(random.nextInt(3));
        out.add(call(line, 1 + random.nextInt(most)));
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
          .as("one call more at most").isLessThan(MAX + most);
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

  @Test
  @DisplayName("Fails if nobody looks at those that wait because some have waited before")
  void watchedAgain() {
    Call one = call(first, 100);
    Call two = call(second, 50);
    one.share.run();
    assertThat(two.in()).isTrue();
    patienceIsOver();
    assertThat(looks).as("nobody waits").isEmpty();
    assertThat(call(second, 60).in()).isFalse();
    assertThat(looks).hasSize(1);
  }
}
