// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random programs of calls in both directions over a simulated fabric. Whatever happens: each call
 * has exactly one outcome, results are what the service computed, no memory is freed while the peer
 * can reach it, and in the end every pool is full again.
 *
 * <p>The fabric holds both ends to what they may rely on: each Send finds one of the Receives posted at
 * the beginning, though ends are slow to see it and post it again, and so nobody sends beyond a grant
 * Sends fit, are of the kinds that may be sent, and their
 * credits are not zero; Reads keep to their limit. Memory
 * is exposed under random tags at random addresses.
 */
@Tag("seeded")
public class SimulationTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.seeds", 3_000);
  private static final int MOST_ITEMS = 3;
  /** Replies that were pulled, of all seeds together. */
  private long pulled;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  @DisplayName("R-022 R-023 R-024 R-029 R-031 R-034 R-043 R-102 R-109 R-128 R-130 R-171 R-173: calls of "
      + "all forms, both ways, undisturbed")
  void undisturbed() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, SimulatedFabric.Faults.NONE, 0, 0);
    }
    assertThat(pulled).as("replies that were pulled").isGreaterThan(SEEDS);
  }

  @Test
  @DisplayName("R-154 R-156: memory that cannot be had or exposed fails its call and nothing else")
  void failingMemory() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, new SimulatedFabric.Faults(0, 50, 50, 200), 0, 0);
    }
  }

  @Test
  @DisplayName("R-159: a cut connection ends every call once and frees everything")
  void cuts() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, new SimulatedFabric.Faults(4, 10, 10, 200), 0, 0);
    }
  }

  @Test
  @DisplayName("R-023 R-172: calls given up keep their credit, and their memory is fenced")
  void givenUp() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, new SimulatedFabric.Faults(1, 10, 10, 200), 100, 100);
    }
  }

  /** Fails if {@code AbandonedCall} does not wait, or if {@code GiveUp} confirms before a reply has been sent. */
  @Test
  @DisplayName("R-326: calls given up cost no connection between ends that tell each other")
  void givenUpAndTold() {
    for (long seed = 0; seed < SEEDS; seed++) {
      // With metadata
      run(seed | 8, new SimulatedFabric.Faults(0, 10, 10, 200), 100, 0, fabric -> fabric.staleTagsExpected = false);
    }
  }

  /** Which directions can have replies that are pulled, and whether RDMA_DONE invalidates. */
  private static LargeReplies largeReplies(long seed, boolean client) {
    boolean forward = (seed & 1) > 0;
    boolean reverse = (seed & 2) > 0;
    return new LargeReplies(client ? forward : reverse, client ? reverse : forward, (seed & 4) > 0, 10_000,
        30 * SECOND);
  }

  private static ConnectionSettings settings(long seed, Random random, boolean client) {
    return TestSettings.of(client).credits(1 + random.nextInt(6), 1 + random.nextInt(6))
        .sendSlots(2 + random.nextInt(6)).reads(1 + random.nextInt(3)).remoteInvalidation(random.nextBoolean())
        .setAside(random.nextBoolean() ? 1 << 20 : 0).times(30 * SECOND, 5 * SECOND)
        .maxTransfer(random.nextInt(3) > 0 ? Integer.MAX_VALUE : 1000 + random.nextInt(3000))
        .largeReplies(largeReplies(seed, client)).metadata((seed & 8) > 0).build();
  }

  void run(long seed, SimulatedFabric.Faults faults, int cancels, int timeouts) {
    run(seed, faults, cancels, timeouts, fabric -> {});
  }

  /** Sees to who calls, and how that is judged. */
  public void run(long seed, SimulatedFabric.Faults faults, int cancels, int timeouts,
      Consumer<SimulatedFabric> security) {
    Random random = new Random(~seed);
    SimulatedFabric fabric = new SimulatedFabric(seed, faults, settings(seed, random, true),
        settings(seed, random, false));
    fabric.staleTagsExpected = cancels > 0 || timeouts > 0;
    security.accept(fabric);
    try {
      Program program = new Program(fabric, random);
      if (random.nextBoolean()) {
        fabric.establish();
      }
      int calls = 1 + random.nextInt(30);
      for (int i = 0; i < calls; i++) {
        program.call(random.nextInt(3) == 0 ? fabric.server : fabric.client);
      }
      if (fabric.client.machine.grantedCredits() == 1 && fabric.now == 0) {
        try {
          fabric.establish();
        } catch (IllegalStateException established) {
          assertThat(established).hasMessageContaining("Established");
        }
      }
      while (fabric.step()) {
        program.serve();
        if (fabric.chance(cancels)) {
          program.cancelOne();
        }
        if (fabric.chance(timeouts)) {
          fabric.advance(fabric.now + SECOND / 4);
        }
      }
      program.serveAll();
      fabric.settleAll();
      fabric.client.machine.close(fabric.now);
      fabric.server.machine.close(fabric.now);
      fabric.settleAll();
      program.check();
      pulled += fabric.client.machine.counters().pulledReplies()
          + fabric.server.machine.counters().pulledReplies();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /** What the application does on both ends. */
  private static final class Program {

    private final SimulatedFabric fabric;
    private final Random random;
    private final List<Heard> outcomes = new ArrayList<>();
    private final List<TestCall> handles = new ArrayList<>();
    private final List<SimulatedMemory.AppItem> items = new ArrayList<>();

    Program(SimulatedFabric fabric, Random random) {
      this.fabric = fabric;
      this.random = random;
    }

    private byte[] data() {
      int kind = random.nextInt(4);
      byte[] bytes = new byte[kind == 0 ? 0 : kind == 1 ? random.nextInt(64)
          : random.nextInt(6_000)];
      random.nextBytes(bytes);
      return bytes;
    }

    private DataItem item(byte[] bytes) {
      if (random.nextBoolean()) {
        return DataItem.of(bytes);
      }
      SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(bytes);
      items.add(item);
      return item;
    }

    /**
     * Sends a plain opaque and up to three items; the service returns all of them, each reversed. Of the
     * results the first so many have Write chunks, and the others are inline.
     */
    void call(SimulatedFabric.End end) {
      byte[] plain = data();
      List<byte[]> parts = new ArrayList<>();
      XdrWriter writer = new XdrWriter();
      int count = random.nextInt(MOST_ITEMS + 1);
      writer.opaque(plain).int32(count);
      for (int i = 0; i < count; i++) {
        parts.add(data());
        writer.dataItem(item(parts.get(i))).int32(i);
      }
      int placed = random.nextInt(parts.size() + 1);
      List<Said.Room> results = new ArrayList<>();
      int max = Xdr.pad(plain.length) + 8;
      for (byte[] part : parts) {
        max += 8;
        if (results.size() < placed) {
          results.add(new Said.Room(part.length, random.nextBoolean() ? Optional.empty()
              : Optional.of(item(new byte[part.length]))));
        } else {
          max += Xdr.pad(part.length);
        }
      }
      Heard outcome = new Heard(fabric, plain, parts);
      outcomes.add(outcome);
      Said said = Said.procedure(3, writer, results, max);
      // Where large replies can be pulled, half of the calls leave it to that.
      TestCall call = new TestCall(random.nextBoolean() ? said : said.typically(0), outcome)
          .protectedBy(end.protector);
      handles.add(call);
      end.machine.call(call.carried(), fabric.now + (1 + random.nextInt(8)) * SECOND);
    }

    void cancelOne() {
      handles.get(random.nextInt(handles.size())).cancel(fabric.now);
    }

    void serve() {
      if (random.nextInt(3) == 0) {
        serveOne(fabric.server);
        serveOne(fabric.client);
      }
    }

    void serveAll() {
      fabric.settle();
      while (!fabric.server.incoming.isEmpty() || !fabric.client.incoming.isEmpty()) {
        serveOne(fabric.server);
        serveOne(fabric.client);
        fabric.settle();
      }
    }

    private void serveOne(SimulatedFabric.End end) {
      IncomingCall call = end.incoming.poll();
      if (call == null) {
        return;
      }
      // Also if its caller is gone: what a service reads stays as it is until it answers.
      XdrReader reader = call.arguments();
      byte[] plain = reader.opaque(10_000);
      List<DataItem> results = new ArrayList<>();
      for (int count = reader.int32(); results.size() < count; ) {
        byte[] part = reader.dataItem(10_000).toByteArray();
        assertThat(reader.int32()).isEqualTo(results.size());
        results.add(item(reverse(part)));
      }
      reader.end();
      call.reply(w -> {
        w.opaque(reverse(plain));
        for (int i = 0; i < results.size(); i++) {
          w.dataItem(results.get(i).retain()).int32(i);
        }
      });
    }

    void check() {
      assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.count).isEqualTo(1));
      for (SimulatedFabric.End end : List.of(fabric.client, fabric.server)) {
        end.checkAtRest();
      }
      assertThat(items).as("owners of application memory")
          .allSatisfy(item -> assertThat(item.owners).isEqualTo(1));
    }
  }

  private static byte[] reverse(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  /** Checks results as they come, and that they come once. */
  private static final class Heard implements CallListener {

    private final SimulatedFabric fabric;
    private final byte[] plain;
    private final List<byte[]> parts;
    int count;

    Heard(SimulatedFabric fabric, byte[] plain, List<byte[]> parts) {
      this.fabric = fabric;
      this.plain = plain;
      this.parts = parts;
    }

    @Override
    public void rejected(ReplyHeader header) {
      count++;
      fail("Rejected: " + header);
    }

    @Override
    public void replied(XdrReader results) {
      count++;
      try {
        assertThat(Arrays.equals(results.opaque(10_000), reverse(plain))).isTrue();
        for (int i = 0; i < parts.size(); i++) {
          DataItem item = results.dataItem(10_000);
          assertThat(Arrays.equals(item.toByteArray(), reverse(parts.get(i)))).isTrue();
          assertThat(results.int32()).isEqualTo(i);
        }
        results.end();
      } catch (XdrException e) {
        fail("Results: " + e.getMessage());
      }
    }

    @Override
    public void failed(Outcome.Failed failure) {
      count++;
      if (fabric.faults == SimulatedFabric.Faults.NONE) {
        fail("Failed: " + failure);
      }
    }
  }
}
