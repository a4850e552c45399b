// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two endpoints joined by a byte pipe that cuts the streams at random: Sends, Writes and Reads of
 * random lengths both ways, all placed and completed as posted. The seed is part of each message.
 */
@DisplayName("iWARP: two machines and a pipe")
@Tag("seeded")
final class SimulationTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.seeds", 400);
  private static final int STEPS = 200;
  private static final int AREA = 4096;

  @Test
  @DisplayName("P-008, P-014, P-016, P-018: random work over random cuts")
  void randomWork() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new Run(seed).run();
    }
  }

  /** One side with the model of what must happen at the other. */
  private static final class Side {
    final Machine machine;
    final byte[] mirror = new byte[AREA];
    final HostMemory area;
    final SiwExposure writable;
    final SiwExposure readable;
    byte[] wire = new byte[0];
    long sendId;
    int sendsPosted;

    Side(boolean initiator) {
      machine = new Machine(initiator);
      area = machine.memory(AREA);
      writable = machine.expose(area, Access.REMOTE_WRITE);
      readable = machine.expose(area, Access.REMOTE_READ);
    }
  }

  private static final class Run {
    private final long seed;
    private final Random random;
    private final Side[] sides = {new Side(true), new Side(false)};

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int which = random.nextInt(2);
        if (random.nextInt(3) == 0) {
          post(sides[which], sides[1 - which]);
        } else {
          move(which);
        }
      }
      for (int i = 0; i < 20; i++) {
        move(0);
        move(1);
        for (Side side : sides) {
          assertThat(side.machine.fault).as("seed %d", seed).isNull();
        }
      }
      for (int i = 0; i < 2; i++) {
        assertThat(Machine.bytes(sides[i].area)).as("seed %d", seed).isEqualTo(sides[i].mirror);
        assertThat(sides[i].machine.events.stream().filter(e -> e.startsWith("RECEIVE")).count())
            .as("seed %d", seed).isEqualTo(sides[1 - i].sendsPosted);
        long done = sides[i].machine.events.stream().filter(e -> !e.startsWith("RECEIVE"))
            .count();
        assertThat(done).as("seed %d: completions", seed).isEqualTo(sides[i].sendId);
      }
    }

    private void post(Side side, Side other) {
      int length = random.nextInt(300);
      byte[] data = new byte[length];
      random.nextBytes(data);
      int at = random.nextInt(AREA - length);
      if (side.sendId - countDone(side) >= 60) {
        return;
      }
      switch (random.nextInt(3)) {
        case 0:
          other.machine.receive(other.machine.events.size(), length);
          side.machine.send(side.sendId++, side.machine.memory(data));
          side.sendsPosted++;
          break;
        case 1:
          side.machine.post(side.sendId++, Opcode.WRITE, side.machine.memory(data),
              other.writable.steeringTag(), other.writable.remoteOffset() + at, false);
          System.arraycopy(data, 0, other.mirror, at, length);
          break;
        default:
          if (side.machine.endpoint.sendQueue().reads() < 4) {
            side.machine.post(side.sendId++, Opcode.READ, side.machine.memory(length),
                other.readable.steeringTag(), other.readable.remoteOffset() + at, false);
          }
      }
    }

    private static long countDone(Side side) {
      return side.machine.events.stream().filter(e -> !e.startsWith("RECEIVE")).count();
    }

    /** Some of the bytes on the wire of one side arrive at the other. */
    private void move(int from) {
      Side side = sides[from];
      side.wire = Fpdus.concat(side.wire, side.machine.drain(128 + random.nextInt(400)));
      int count = random.nextInt(3) == 0 ? side.wire.length
          : random.nextInt(side.wire.length + 1);
      sides[1 - from].machine.feed(Arrays.copyOf(side.wire, count));
      side.wire = Arrays.copyOfRange(side.wire, count, side.wire.length);
    }
  }
}
