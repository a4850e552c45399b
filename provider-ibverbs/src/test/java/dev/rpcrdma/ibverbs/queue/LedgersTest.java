// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was posted, and what is told of it. */
class LedgersTest {

  private final Completion completion = new Completion();
  private final SendLedger sends = new SendLedger(5);
  private final ReceiveLedger receives = new ReceiveLedger(3);

  private List<String> told() {
    List<String> all = new ArrayList<>();
    while (sends.next(completion)) {
      all.add(completion.id() + " " + completion.opcode() + " " + completion.status());
    }
    return all;
  }

  /** Fails if {@code SendLedger.completed} tells of the one request alone. */
  @Test
  @DisplayName("A completion tells of all Sends and Writes before it, which have succeeded")
  void order() {
    long first = sends.posted(70, Opcode.SEND);
    sends.posted(71, Opcode.WRITE);
    long read = sends.posted(72, Opcode.READ);
    long last = sends.posted(73, Opcode.SEND);
    assertThat(told()).isEmpty();
    assertThat(sends.completed(first, Status.SUCCESS)).isTrue();
    assertThat(told()).containsExactly("70 SEND SUCCESS");
    assertThat(sends.reads()).isEqualTo(1);
    assertThat(underWay(sends)).isEqualTo(3);
    assertThat(sends.completed(read, Status.SUCCESS)).isTrue();
    assertThat(sends.completed(last, Status.ERROR)).isTrue();
    assertThat(underWay(sends)).isZero();
    assertThat(sends.reads()).as("not told of yet").isEqualTo(1);
    assertThat(told()).containsExactly("71 WRITE SUCCESS", "72 READ SUCCESS", "73 SEND ERROR");
    assertThat(sends.reads()).isZero();
    assertThat(sends.isEmpty()).isTrue();
  }

  /** Fails if {@code SendLedger.completed} tells of Reads before the one that is completed. */
  @Test
  @DisplayName("A Send that is completed before an earlier Read does not tell of that, whose data has not come")
  void overtaken() {
    sends.posted(70, Opcode.WRITE);
    long read = sends.posted(71, Opcode.READ);
    long other = sends.posted(72, Opcode.READ);
    sends.posted(73, Opcode.WRITE);
    long send = sends.posted(74, Opcode.SEND);
    assertThat(sends.completed(send, Status.SUCCESS)).isTrue();
    assertThat(told()).containsExactly("70 WRITE SUCCESS");
    assertThat(sends.completed(read, Status.SUCCESS)).isTrue();
    assertThat(told()).containsExactly("71 READ SUCCESS");
    assertThat(sends.completed(read, Status.SUCCESS)).as("twice").isFalse();
    sends.posted(75, Opcode.SEND);
    assertThat(sends.completed(other, Status.ERROR)).isTrue();
    assertThat(sends.completed(send, Status.SUCCESS)).as("twice").isFalse();
    assertThat(told()).containsExactly("72 READ ERROR", "73 WRITE SUCCESS", "74 SEND SUCCESS");
    sends.flush();
    assertThat(told()).containsExactly("75 SEND FLUSHED");
  }

  /** Fails if {@code SendLedger.isFull} goes by what is over. */
  @Test
  @DisplayName("The queue is full until its completions have been told of")
  void full() {
    long number = 0;
    for (int i = 0; i < 5; i++) {
      assertThat(sends.isFull()).isFalse();
      number = sends.posted(i, Opcode.SEND);
    }
    assertThat(sends.isFull()).isTrue();
    assertThat(sends.completed(number, Status.SUCCESS)).isTrue();
    assertThat(sends.isFull()).isTrue();
    assertThat(sends.next(completion)).isTrue();
    assertThat(sends.isFull()).isFalse();
  }

  /** Fails if one of the bounds of {@code SendLedger.completed} is left out. */
  @Test
  @DisplayName("A device that completes what is not there is not believed")
  void unknown() {
    assertThat(sends.completed(0, Status.SUCCESS)).isFalse();
    long number = sends.posted(1, Opcode.SEND);
    assertThat(sends.completed(number + 1, Status.SUCCESS)).isFalse();
    assertThat(sends.completed(-1, Status.SUCCESS)).isFalse();
    assertThat(sends.completed(number, Status.SUCCESS)).isTrue();
    assertThat(sends.completed(number, Status.SUCCESS)).as("twice").isFalse();
    assertThat(told()).containsExactly("1 SEND SUCCESS");
    assertThat(receives.isOldest(0)).isFalse();
    long receive = receives.posted(2);
    receives.posted(3);
    assertThat(receives.isOldest(receive + 1)).as("out of order").isFalse();
    assertThat(receives.isOldest(receive)).isTrue();
  }

  @Test
  @DisplayName("What never came is flushed, behind what did, and once")
  void flushed() {
    long first = sends.posted(1, Opcode.WRITE);
    sends.posted(2, Opcode.SEND);
    sends.completed(first, Status.SUCCESS);
    sends.flush();
    sends.posted(3, Opcode.SEND);
    sends.flush();
    sends.flush();
    assertThat(told()).containsExactly("1 WRITE SUCCESS", "2 SEND FLUSHED", "3 SEND FLUSHED");
    receives.posted(7);
    receives.posted(8);
    assertThat(receives.take()).isEqualTo(7);
    assertThat(receives.nextFlushed(completion)).isTrue();
    assertThat(completion.id()).isEqualTo(8);
    assertThat(completion.opcode()).isEqualTo(Opcode.RECEIVE);
    assertThat(completion.status()).isEqualTo(Status.FLUSHED);
    assertThat(receives.nextFlushed(completion)).isFalse();
    assertThat(receives.isEmpty()).isTrue();
  }

  /** One that was posted: whether it is over is for the device to say. */
  private static final class Posted {
    final long id;
    final long number;
    final boolean read;
    boolean over;

    Posted(long id, long number, boolean read) {
      this.id = id;
      this.number = number;
      this.read = read;
    }
  }

  @Test
  @DisplayName("Beside a queue of objects, for many rounds of the ring, with Reads that others overtake")
  void random() {
    Random random = new Random(4711);
    Deque<Posted> queue = new ArrayDeque<>();
    long next = 0;
    for (int step = 0; step < 20_000; step++) {
      List<Posted> pending = queue.stream().filter(posted -> !posted.over).toList();
      if (random.nextBoolean() && !sends.isFull()) {
        boolean read = random.nextInt(3) == 0;
        queue.add(new Posted(next, sends.posted(next, read ? Opcode.READ : Opcode.SEND), read));
        next++;
      } else if (random.nextBoolean() && !pending.isEmpty()) {
        Posted done = pending.get(random.nextInt(pending.size()));
        queue.stream().filter(posted -> posted.number < done.number && !posted.read)
            .forEach(posted -> posted.over = true);
        done.over = true;
        assertThat(sends.completed(done.number, Status.SUCCESS)).isTrue();
      } else if (sends.next(completion)) {
        assertThat(queue.peek().over).isTrue();
        assertThat(completion.id()).isEqualTo(queue.poll().id);
      } else {
        assertThat(queue.isEmpty() || !queue.peek().over).isTrue();
      }
      assertThat(sends.isFull()).isEqualTo(queue.size() == 5);
      assertThat(sends.reads()).isEqualTo((int) queue.stream().filter(posted -> posted.read).count());
    }
    assertThat(next).isGreaterThan(1000);
  }

  private static int underWay(SendLedger sends) {
    return (int) (sends.tail() - sends.over());
  }
}
