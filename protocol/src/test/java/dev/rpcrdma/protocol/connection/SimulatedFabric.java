// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.Fabric;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.ConnectionListener;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Two connection machines, a lossless but capricious fabric between them, and a virtual clock. One
 * seed decides everything: when messages arrive, when completions are seen, what cannot be exposed,
 * when the connection is cut.
 *
 * <p>Each {@link #step()} does one thing that may happen next, and checks the invariants.
 */
public final class SimulatedFabric {

  /**
   * What may go wrong, in per mille of the chances for it.
   *
   * @param cut the connection ends
   * @param exposeFailure memory cannot be exposed
   * @param allocationFailure there is no memory
   * @param lateMemory memory comes, but later
   */
  public record Faults(int cut, int exposeFailure, int allocationFailure, int lateMemory) {
    public static final Faults NONE = new Faults(0, 0, 0, 0);
  }

  /** The procedure that must not be executed twice; all others may be executed again. */
  public static final int ONCE = 2;

  /** What of an end outlives the connection. */
  public record Lasting(XidSlots xids, CallHistory history) {}

  /** After one in so many Sends other connections have the send buffers that are left, for a while. */
  private static final int OTHERS_TAKE_ALL = 10;
  /** More slots than any simulated end has credits. */
  private static final int SLOT_BITS = 6;

  final Random random;
  final Faults faults;
  /** Another one for each connection. */
  private final int bindings;
  public final End client;
  public final End server;
  public long now;
  /** What is done on other threads. */
  public final List<Runnable> work = new ArrayList<>();
  private boolean cut;
  /** A peer that uses a revoked tag loses the connection; only after calls were given up is that right. */
  public boolean staleTagsExpected;
  /** Somebody on the path may end calls that are still being served, by replies that nobody believes. */
  public boolean forgeriesExpected;

  SimulatedFabric(long seed, Faults faults, ConnectionSettings clientSettings,
      ConnectionSettings serverSettings) {
    this(new Random(seed), faults, clientSettings, serverSettings,
        new Lasting(new XidSlots(SLOT_BITS, (int) seed), CallHistory.NONE),
        // C-02: now and then both ends use the same numbers.
        new Lasting(new XidSlots(SLOT_BITS, (int) (seed % 8 == 7 ? seed : ~seed)), CallHistory.NONE));
  }

  /** One of several connections, in a world that has one source of chance. */
  public SimulatedFabric(Random random, Faults faults, ConnectionSettings clientSettings,
      ConnectionSettings serverSettings, Lasting clientMemory, Lasting serverMemory) {
    this.random = random;
    this.faults = faults;
    this.bindings = System.identityHashCode(this);
    this.client = new End("client", clientSettings, clientMemory);
    this.server = new End("server", serverSettings, serverMemory);
    client.peer = server;
    server.peer = client;
  }

  public void establish() {
    client.machine.established(client.settings, now);
    server.machine.established(server.settings, now);
  }

  /** Does one of the things that may happen; false if there is none. */
  public boolean step() {
    List<Runnable> choices = new ArrayList<>();
    client.offer(choices);
    server.offer(choices);
    if (!work.isEmpty()) {
      choices.add(() -> work.remove(random.nextInt(work.size())).run());
    }
    if (choices.isEmpty()) {
      return false;
    }
    if (!cut && chance(faults.cut)) {
      cut();
    } else {
      choices.get(random.nextInt(choices.size())).run();
    }
    client.check();
    server.check();
    return true;
  }

  /** Runs until nothing is left to happen. */
  void settle() {
    for (int i = 0; step(); i++) {
      assertThat(i).as("steps").isLessThan(1_000_000);
    }
  }

  /** Settles, and lets time pass until no deadline is left. */
  void settleAll() {
    settle();
    long next = Math.min(client.deadlines.next(), server.deadlines.next());
    while (next != Long.MAX_VALUE) {
      advance(next);
      settle();
      next = Math.min(client.deadlines.next(), server.deadlines.next());
    }
  }

  public void advance(long time) {
    now = Math.max(now, time);
    client.deadlines.advance(now);
    server.deadlines.advance(now);
  }

  public void cut() {
    cut = true;
    client.lose();
    server.lose();
  }

  /**
   * The client sees that the connection is cut, and the server does not yet: what is under way to it, or has
   * arrived there and was not looked at, still comes.
   */
  public void cutClient() {
    cut = true;
    client.loseFirst();
  }

  boolean chance(int perMille) {
    return perMille > 0 && random.nextInt(1000) < perMille;
  }

  /** One operation on the wire, in the order of its direction. */
  private sealed interface Op {
    long id();
  }

  /** Its bytes have left when it is posted: they arrive whatever becomes of the sender. */
  private record SendOp(long id, SimulatedMemory.Memo source, byte[] bytes, OptionalInt invalidate)
      implements Op {}

  private record WriteOp(long id, SimulatedMemory.Memo source, int from, int length, int handle,
      long offset) implements Op {}

  private record ReadOp(long id, SimulatedMemory.Memo sink, int from, int length, int handle,
      long offset) implements Op {}

  /** A message in its Receive, not yet seen. */
  private record Arrived(ByteBuffer message, OptionalInt invalidated) {}

  private record Exposure(ExposedRegion token, int handle, long offset, SimulatedMemory.Memo region,
      boolean remoteWrite) {}

  /** One end: fabric of its machine, and its side of the wire. */
  public final class End implements Fabric, LoopPort, SecureChannel {

    public final String name;
    final ConnectionSettings settings;
    final SimulatedMemory memory;
    /** Judges who calls. */
    public Authenticator authenticator = Authenticator.PLAIN;
    /** Protects calls of this end; null if nothing does. */
    public CallProtector protector;
    /** What somebody on the path makes of the messages of this end. */
    public UnaryOperator<byte[]> onPath = message -> message;
    /** Runs when the machine has heard that the connection has ended. */
    public Runnable whenTold = () -> {};
    public final ConnectionMachine machine;
    final Map<Integer, Exposure> exposures = new HashMap<>();
    public final Deadlines deadlines = new Deadlines();
    public final ArrayDeque<IncomingCall> incoming = new ArrayDeque<>();
    private final Map<ExposedRegion, Exposure> exposuresByToken = new HashMap<>();
    private final ArrayDeque<Op> wire = new ArrayDeque<>();
    private final ArrayDeque<Op> posted = new ArrayDeque<>();
    private final ArrayDeque<Arrived> arrived = new ArrayDeque<>();
    private final List<ReadOp> answeredReads = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private int receives;
    private int readsOutstanding;
    /** How many of the answers are memory that comes late, also after the connection has ended. */
    private int late;
    private boolean inUpcall;
    private boolean lost;
    private boolean told;
    End peer;

    End(String name, ConnectionSettings settings, Lasting lasting) {
      this.name = name;
      this.settings = settings;
      this.memory = new SimulatedMemory(settings, this);
      this.receives = settings.receives();
      this.machine = new ConnectionMachine(this, memory, deadlines, this, new ConnectionListener() {
        @Override
        public Authenticator authenticator() {
          return (call, message, later) -> authenticator.over(End.this).judge(call, message, later);
        }

        @Override
        public void incoming(IncomingCall call, long time) {
          if (call.admit(call.header().procedure() != ONCE, time)) {
            incoming.add(call);
          }
        }

        @Override
        public void encodingFailed(IncomingCall call, Throwable cause) {
          throw new AssertionError(cause);
        }
      }, settings, lasting.xids(), lasting.history());
      machine.over(this);
    }

    /** As if there were TLS below. */
    @Override
    public Optional<byte[]> bindings() {
      return Optional.of(("simulated:" + bindings).getBytes(StandardCharsets.US_ASCII));
    }

    /** Its machine has heard that the connection has ended. */
    public boolean told() {
      return told;
    }

    /** Nothing more happens on this end, and no memory is still to come. */
    public boolean over() {
      return told && answers.isEmpty();
    }

    /** Whether the connection has ended, as seen from here. */
    public boolean lost() {
      return lost;
    }

    /** Its machine and its pools are as if nothing had ever happened. */
    public void checkAtRest() {
      assertThat(machine.pendingCalls()).as("pending").isZero();
      assertThat(machine.activeCalls()).as("active").isZero();
      assertThat(machine.exposures()).as("exposures").isZero();
      assertThat(machine.providedReplies()).as("provided replies").isZero();
      assertThat(machine.bytesSetAside()).as("set aside").isZero();
      assertThat(memory.regionsInUse).as("regions").isZero();
      assertThat(memory.sendBuffersInUse).as("send buffers").isZero();
    }

    boolean othersTakeAll() {
      return random.nextInt(OTHERS_TAKE_ALL) == 0;
    }

    boolean fails() {
      return chance(faults.allocationFailure);
    }

    /** Does something now, or, if memory is late, as one of the things that may happen later. */
    void inTime(Runnable action) {
      if (chance(faults.lateMemory)) {
        late++;
        answers.add(() -> {
          late--;
          action.run();
        });
      } else {
        action.run();
      }
    }

    void offer(List<Runnable> choices) {
      if (!wire.isEmpty()) {
        choices.add(this::deliverOldest);
      }
      if (!posted.isEmpty() && lost) {
        choices.add(() -> complete(posted.poll(), false));
      } else if (!posted.isEmpty() && !wire.contains(posted.peek())
          && !(posted.peek() instanceof ReadOp)) {
        choices.add(() -> complete(posted.poll(), true));
      }
      if (!arrived.isEmpty()) {
        choices.add(this::seeOldest);
      }
      if (!answeredReads.isEmpty()) {
        choices.add(() -> {
          ReadOp read = answeredReads.remove(0);
          posted.remove(read);
          complete(read, true);
        });
      }
      if (memory.othersHaveAll()) {
        choices.add(() -> upcall(memory::othersGiveBack));
      }
      if (!answers.isEmpty()) {
        choices.add(() -> answers.remove(random.nextInt(answers.size())).run());
      }
      if (peer.lost && !lost) {
        choices.add(this::lose);
      }
      if (lost && !told && answers.size() == late && posted.isEmpty()) {
        choices.add(() -> {
          told = true;
          machine.disconnected("cut", OptionalInt.empty(), now);
          whenTold.run();
        });
      }
    }

    private void complete(Op op, boolean success) {
      if (op instanceof ReadOp) {
        readsOutstanding--;
      }
      upcall(() -> machine.sendQueueCompleted(op.id(), success, now));
    }

    private void upcall(Runnable runnable) {
      inUpcall = true;
      runnable.run();
      inUpcall = false;
    }

    private void deliverOldest() {
      Op op = wire.poll();
      if (peer.lost) {
        // Nobody is there any more.
        return;
      }
      if (op instanceof SendOp send) {
        peer.deliver(send);
      } else if (staleTagsExpected && !peer.reachable(op)) {
        cut();
      } else if (op instanceof WriteOp write) {
        ByteBuffer data = write.source.bytes().slice(write.from, write.length);
        peer.exposed(write.handle, write.offset, write.length, true).put(data);
      } else if (op instanceof ReadOp read) {
        ByteBuffer data = peer.exposed(read.handle, read.offset, read.length, false);
        read.sink.bytes().slice(read.from, read.length).put(data);
        answeredReads.add(read);
      }
    }

    private boolean reachable(Op op) {
      return op instanceof WriteOp write ? exposures.containsKey(write.handle)
          : exposures.containsKey(((ReadOp) op).handle);
    }

    private ByteBuffer exposed(int handle, long offset, int length, boolean write) {
      Exposure exposure = exposures.get(handle);
      assertThat(exposure).as("%s: tag %x is alive", name, handle).isNotNull();
      assertThat(exposure.remoteWrite).as("%s: rights", name).isEqualTo(write);
      int from = (int) (offset - exposure.offset);
      assertThat(from).isBetween(0, exposure.region.length());
      assertThat(length).isLessThanOrEqualTo(exposure.region.length() - from);
      return exposure.region.bytes().slice(from, length);
    }

    private void deliver(SendOp send) {
      assertThat(receives).as("%s: a Receive is posted (R-029)", name).isPositive();
      receives--;
      ByteBuffer copy = ByteBuffer.wrap(peer.onPath.apply(send.bytes.clone()));
      if (staleTagsExpected && send.invalidate.isPresent()
          && !exposures.containsKey(send.invalidate.getAsInt())) {
        cut();
        return;
      }
      send.invalidate.ifPresent(handle -> {
        Exposure exposure = exposures.remove(handle);
        assertThat(exposure).as("%s: invalidated tag", name).isNotNull();
        exposuresByToken.remove(exposure.token);
      });
      arrived.add(new Arrived(copy, send.invalidate));
    }

    private void seeOldest() {
      Arrived oldest = arrived.poll();
      upcall(() -> machine.received(oldest.message, oldest.invalidated, now));
      // The Receive is posted again: whoever still looks at the message sees something else.
      Arrays.fill(oldest.message.array(), (byte) 0xEE);
      receives++;
    }

    void check() {
      assertThat(machine.exposures()).as("%s: exposures", name)
          .isGreaterThanOrEqualTo(exposures.size() * (lost ? 0 : 1));
      assertThat(machine.activeCalls()).as("%s: credits (R-023)", name)
          .isLessThanOrEqualTo(settings.creditsGranted() * (forgeriesExpected ? 2 : 1) + (settings.metadata() ? 1 : 0));
      assertThat(readsOutstanding).as("%s: ORD (R-031)", name)
          .isLessThanOrEqualTo(settings.outboundReads());
      assertThat(posted.size() - readsOutstanding).as("%s: send slots", name)
          .isLessThanOrEqualTo(settings.sendSlots());
    }

    void requireNotExposed(SimulatedMemory.Memo region) {
      assertThat(exposures.values()).as("%s: freed memory is out of the peer's reach", name)
          .noneMatch(exposure -> exposure.region == region);
      assertThat(posted).as("%s: freed memory is not posted", name)
          .noneMatch(op -> uses(op, region));
    }

    private boolean uses(Op op, SimulatedMemory.Memo region) {
      return op instanceof WriteOp write && write.source == region
          || op instanceof ReadOp read && read.sink == region
          || op instanceof SendOp send && send.source == region;
    }

    void lose() {
      if (lost) {
        return;
      }
      loseFirst();
      wire.clear();
    }

    /** What is on its way to the other end still gets there. */
    private void loseFirst() {
      lost = true;
      while (!wire.isEmpty() && wire.stream().anyMatch(op -> !(op instanceof SendOp))) {
        // The stream ends somewhere: no message overtakes the Write before it.
        wire.removeLast();
      }
      arrived.clear();
      answeredReads.clear();
      exposures.clear();
      // What is posted completes in order, flushed, some time later.
    }

    // Fabric

    @Override
    public <S, T> void run(Task<S, T> task, S subject, T argument) {
      task.run(subject, argument, now);
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public void postSend(long id, MessageBuffer message, int length) {
      post(new SendOp(id, (SimulatedMemory.Memo) message, bytes(message, length),
          OptionalInt.empty()));
    }

    @Override
    public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
      post(new SendOp(id, (SimulatedMemory.Memo) message, bytes(message, length),
          OptionalInt.of(handle)));
    }

    private static byte[] bytes(MessageBuffer message, int length) {
      byte[] bytes = new byte[length];
      message.bytes().get(bytes);
      return bytes;
    }

    @Override
    public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
      post(new WriteOp(id, (SimulatedMemory.Memo) source, from, length, handle, offset));
    }

    @Override
    public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
      readsOutstanding++;
      post(new ReadOp(id, (SimulatedMemory.Memo) sink, from, length, handle, offset));
    }

    private void post(Op op) {
      if (op instanceof SendOp send) {
        assertThat(send.bytes.length).as("%s: inline threshold (R-043)", name)
            .isLessThanOrEqualTo(settings.outboundInline());
        assertThat(send.source.bytes().getInt(12)).as("%s: procedure (R-128, R-130)", name)
            .isIn(RawHeader.RDMA_MSG, RawHeader.RDMA_NOMSG, RawHeader.RDMA_ERROR,
                settings.largeReplies().pulls() ? RawHeader.RDMA_DONE : RawHeader.RDMA_NOMSG);
        assertThat(send.source.bytes().getInt(8)).as("%s: credits (R-034)", name).isPositive();
      }
      posted.add(op);
      if (!lost) {
        wire.add(op);
      }
    }

    @Override
    public void expose(ExposedRegion token, Region region, boolean remoteWrite) {
      if (chance(faults.exposeFailure)) {
        answers.add(() -> token.failed("simulated", false));
        return;
      }
      Exposure exposure = new Exposure(token, random.nextInt(), random.nextLong() >>> 1,
          (SimulatedMemory.Memo) region, remoteWrite);
      answers.add(() -> {
        if (lost) {
          token.failed("lost", true);
          return;
        }
        exposures.put(exposure.handle, exposure);
        exposuresByToken.put(token, exposure);
        token.ready(exposure.handle, exposure.offset);
      });
    }

    @Override
    public void revoke(ExposedRegion token) {
      answers.add(() -> {
        Exposure exposure = exposuresByToken.remove(token);
        if (exposure != null) {
          exposures.remove(exposure.handle);
        }
        token.revoked();
      });
    }

    @Override
    public void disconnect(String reason) {
      answers.add(() -> {
        cut = true;
        lose();
        peer.lose();
      });
    }
  }
}
