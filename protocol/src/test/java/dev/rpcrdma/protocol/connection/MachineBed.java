// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.Fabric;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.ConnectionListener;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.WireLimits;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One machine, and a test in place of its peer. What the machine sends is kept as text; what it asks
 * of its fabric is answered at once, after the method that asked has returned.
 *
 * <p>Steering tags are 0x1001, 0x1002 … in order of exposure, all at address 0.
 */
final class MachineBed implements Fabric, Memory, LoopPort {

  static final int FIRST_XID = 0x51000000;
  static final int CREDITS = 4;
  static final int GRANTED = 3;
  static final int SEND_SLOTS = 16;
  /** Twice as many slots as credits, as every end announces. */
  static final int SLOT_BITS = 3;
  static final long SECOND = 1_000_000_000L;
  static final long SERVICE_TIME = 10 * SECOND;
  /** No Read list, no Write list, no Reply chunk. */
  static final String NO_LISTS = "00000000 00000000 00000000";
  /** Words behind the XID in the head of a call: program 9, version 1, procedure 5, no credentials. */
  static final String CALL = "00000000 00000002 00000009 00000001 00000005"
      + "00000000 00000000 00000000 00000000";

  final List<String> sent = new ArrayList<>();
  final List<IncomingCall> incoming = new ArrayList<>();
  /** Gets the peer's calls; unless a test serves them at once, they are kept. */
  Consumer<IncomingCall> service = incoming::add;
  /** Gets why results could not be encoded; unless a test expects that, they always can be. */
  Consumer<Throwable> encodingFailed = cause -> {
    throw new AssertionError(cause);
  };
  /** Judges who calls. */
  Authenticator authenticator = Authenticator.PLAIN;
  final List<String> revoked = new ArrayList<>();
  /** Why there was no memory or no room. */
  final List<String> refused = new ArrayList<>();
  /** Whether the peer may write to what is exposed under a tag, or may read it. */
  final Map<Integer, Boolean> writable = new HashMap<>();
  final Map<Integer, Region> exposed = new HashMap<>();
  /** What Reads of the peer's tags yield; of all others the tag's low byte, again and again. */
  final Map<Integer, byte[]> readable = new HashMap<>();
  final XidSlots xids = new XidSlots(SLOT_BITS, FIRST_XID);
  final Deadlines deadlines = new Deadlines();
  final ConnectionMachine machine;
  private final Map<ExposedRegion, Integer> tags = new HashMap<>();
  /** Memory that the peer may reach: from when it is to be exposed until that has ended. */
  private final Map<ExposedRegion, Reach> reachable = new HashMap<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Runnable> memoryToCome = new ArrayList<>();
  private final ConnectionSettings settings;
  private int lastTag = 0x1000;
  /** What is remembered of the peer's calls. */
  final CallHistory history;
  int regions;
  /** What Writes have put behind the peer's tags, by tag and offset. */
  final Map<String, byte[]> written = new HashMap<>();
  /** How much has come of Reads, whether or not they are complete. */
  long bytesRead;
  /** How much Reads were to bring. */
  long bytesPulled;
  /** Reads of nothing. */
  int emptyReads;
  /** Whether the peer's calls may be executed again before their outcome is known. */
  boolean repeatable;
  boolean readsFail;
  boolean memoryFails;
  /** Memory for more bytes than this cannot be had. */
  int largestRegion = Integer.MAX_VALUE;
  /** How much the peer's Reads have taken. */
  long bytesServed;
  /** Items of the application cannot be registered. */
  boolean itemsFail;
  /** Memory cannot be exposed: since there is no room, or since the connection is ending. */
  boolean exposingFails;
  boolean ending;
  /** How often memory was to be exposed, in vain or not. */
  int exposuresAskedFor;
  /** Memory of the pool waits until {@link #releaseMemory} lets it come. */
  boolean memoryHeld;
  /** Steps of other threads, which wait to be run here; null if they are run at once. */
  List<Runnable> steps;
  /** Answers of the fabric wait until {@link #answer} lets them go. */
  boolean held;
  String disconnected = "";
  long now;

  MachineBed(boolean client) {
    this(like(client));
  }

  MachineBed(boolean client, int outboundInline, int inboundInline) {
    this(like(client).inline(outboundInline, inboundInline));
  }

  /** A bed with settings of its own. */
  MachineBed(TestSettings settings) {
    this(settings, CallHistory.NONE, true);
  }

  /** What holds in beds that say nothing else. */
  static TestSettings like(boolean client) {
    return TestSettings.of(client).credits(CREDITS, GRANTED).sendSlots(SEND_SLOTS).queued(8)
        .limits(new WireLimits(20, 100_000, 100_000, 150_000)).times(SERVICE_TIME, SECOND);
  }

  /** A bed whose peer copes with remote invalidation, as the machine does. */
  static MachineBed invalidating(boolean client) {
    return new MachineBed(like(client).remoteInvalidation(true));
  }

  /** A bed whose machine minds silence; the peer serves so many Reads. */
  static MachineBed withLiveness(boolean client, int reads, Liveness liveness) {
    return new MachineBed(like(client).reads(reads).liveness(liveness));
  }

  /** Remembers nothing yet, and everything that the peer of a bed with it calls. */
  static SessionCache newHistory() {
    return new SessionCache(SLOT_BITS, new Deadlines(), 1 << 20, 0);
  }

  /** A server that remembers what others have. */
  static MachineBed remembering(CallHistory history) {
    return new MachineBed(like(false), history, true);
  }

  /** The same, with a connection that is not up yet. */
  static MachineBed notEstablished(CallHistory history) {
    return new MachineBed(like(false), history, false);
  }

  /** A client whose server is a foreign one. */
  static MachineBed ofForeignServer() {
    return new MachineBed(like(true).emptyChunks(false));
  }

  MachineBed(TestSettings chosen, CallHistory history, boolean established) {
    this.history = history;
    settings = chosen.build();
    machine = new ConnectionMachine(this, this, deadlines, this, new ConnectionListener() {
      @Override
      public Authenticator authenticator() {
        return (call, message, later) -> authenticator.judge(call, message, later);
      }

      @Override
      public void incoming(IncomingCall call, long time) {
        // As every server does, before it executes a call of a foreign client, and of any other.
        call.fingerprint();
        if (call.admit(repeatable, time)) {
          service.accept(call);
        }
      }

      @Override
      public void encodingFailed(IncomingCall call, Throwable cause) {
        encodingFailed.accept(cause);
      }

      @Override
      public void replyRefused(IncomingCall call, String reason) {
        refused.add(reason);
      }

      @Override
      public void argumentsRefused(IncomingCall call, String reason) {
        refused.add(reason);
      }
    }, settings, xids, history);
    if (established) {
      establish();
    }
  }

  void establish() {
    machine.established(settings, now);
  }

  void settle() {
    while (!held && !answers.isEmpty()) {
      answer();
    }
  }

  /** Lets the oldest answer go, if there is one. */
  void answer() {
    if (!answers.isEmpty()) {
      answers.remove(0).run();
    }
  }

  /** A reply of more Writes than there are slots, while answers of the fabric are held. */
  void fillSendQueue() {
    StringBuilder call = new StringBuilder("11111111 00000001 00000002 00000000 00000000 00000000"
        + "00000001 %08x".formatted(SEND_SLOTS + 2));
    for (int i = 0; i < SEND_SLOTS + 2; i++) {
      call.append("%08x 00000064 00000000 00000000".formatted(0xaa00 + i));
    }
    receive(call + "11111111" + CALL);
    incoming.remove(0).reply(writer -> writer.opaque(new byte[1700]));
  }

  /** Has every service end that has not yet, so that nobody reads arguments any more. */
  void endServices() {
    incoming.forEach(call -> call.fail(AcceptStatus.SYSTEM_ERR));
    settle();
  }

  void receive(String hex) {
    receive(hex, OptionalInt.empty());
  }

  void receive(String hex, OptionalInt invalidated) {
    receive(Hex.buffer(hex), invalidated);
  }

  void receive(ByteBuffer message, OptionalInt invalidated) {
    invalidated.ifPresent(this::invalidate);
    machine.received(message, invalidated, now);
    settle();
  }

  private void invalidate(int tag) {
    exposed.remove(tag);
    tags.values().removeIf(value -> value == tag);
    // Also if it is being revoked.
    reachable.values().removeIf(reach -> reach.tag == tag);
  }

  private record Reach(int tag, Region region) {}

  /** The connection is lost, and all exposures with it. */
  void lose(String reason) {
    reachable.clear();
    machine.disconnected(reason, OptionalInt.empty(), now);
    assertThat(deadlines.next()).as("deadlines of a connection that is lost").isEqualTo(Long.MAX_VALUE);
  }

  /** The machine is as if nothing had ever happened, and memory is where it was. */
  void checkAtRest() {
    assertThat(regions).as("regions").isZero();
    assertThat(machine.exposures()).as("exposures").isZero();
    assertThat(machine.providedReplies()).as("provided replies").isZero();
    assertThat(machine.bytesSetAside()).as("bytes set aside").isZero();
    assertThat(machine.pendingCalls()).as("calls").isZero();
    assertThat(machine.activeCalls()).as("calls being served").isZero();
    assertThat(deadlines.next()).as("deadlines").isEqualTo(Long.MAX_VALUE);
  }

  /** Has the machine answer messages of one optional type. */
  void answerType(int type, Function<ByteBuffer, byte[]> answer) {
    machine.serve(new HeaderExtension() {
      @Override
      public int procedure() {
        return type;
      }

      @Override
      public byte[] received(ByteBuffer body) {
        return answer.apply(body);
      }
    });
  }

  /** How often memory was exposed. */
  int exposures() {
    return lastTag - 0x1000;
  }

  /** All messages since the last time, in words. */
  List<String> takeSent() {
    List<String> all = List.copyOf(sent);
    sent.clear();
    return all;
  }

  /** What became of a call. */
  static class Heard implements CallListener {

    final List<String> events = new ArrayList<>();
    /** Null if it has not failed. */
    Outcome.Failed failure;

    @Override
    public void replied(XdrReader results) {
      ByteBuffer rest = ByteBuffer.allocate(results.remaining());
      while (results.remaining() >= 4) {
        rest.putInt(results.int32());
      }
      events.add("reply " + Hex.written(rest));
    }

    @Override
    public void serverTook(long nanos) {
      events.add("took " + nanos);
    }

    @Override
    public void rejected(ReplyHeader header) {
      events.add("rejected " + header);
    }

    @Override
    public void failed(Outcome.Failed cause) {
      failure = cause;
      events.add(cause.kind().name());
    }
  }

  /** Calls program 9 with one word as argument. */
  Heard call(int maxResults, Integer... placed) {
    Heard outcome = new Heard();
    handle(outcome, maxResults, placed);
    return outcome;
  }

  /** Calls program 9 with arguments of the test's own. */
  Heard call(XdrWriter arguments) {
    Heard outcome = new Heard();
    call(arguments, List.of(), 4, outcome);
    return outcome;
  }

  TestCall handle(CallListener outcome, int maxResults, Integer... placed) {
    List<Said.Room> results = new ArrayList<>();
    for (Integer length : placed) {
      results.add(new Said.Room(length, Optional.empty()));
    }
    return call(new XdrWriter().int32(0xabcd), results, maxResults, outcome);
  }

  private TestCall call(XdrWriter arguments, List<Said.Room> results,
      int maxResults, CallListener outcome) {
    TestCall call = new TestCall(Said.of(arguments, results, maxResults), outcome);
    machine.call(call.carried(), now + 5 * SECOND);
    settle();
    return call;
  }

  // Its thread

  @Override
  public <S, T> void run(Task<S, T> task, S subject, T argument) {
    if (steps == null) {
      task.run(subject, argument, now);
    } else {
      steps.add(() -> task.run(subject, argument, now));
    }
  }

  @Override
  public long now() {
    return now;
  }

  // Fabric

  @Override
  public void postSend(long id, MessageBuffer message, int length) {
    sent.add(Hex.written(message.bytes().position(length)));
    completeLater(id);
  }

  /** What completes after the connection's end was asked for is flushed. */
  private void completeLater(long id) {
    answers.add(() -> machine.sendQueueCompleted(id, disconnected.isEmpty(), now));
  }

  @Override
  public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
    if (!settings.remoteInvalidation() && !settings.largeReplies().doneInvalidates()) {
      throw new AssertionError("The peer has not said that it copes with it");
    }
    sent.add("invalidates " + Integer.toHexString(handle));
    postSend(id, message, length);
  }

  @Override
  public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
    String target = Integer.toHexString(handle) + "+" + offset;
    byte[] bytes = new byte[length];
    source.bytes().get(from, bytes);
    written.put(target, bytes);
    sent.add("write " + length + " to " + target);
    completeLater(id);
  }

  @Override
  public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
    emptyReads += length == 0 ? 1 : 0;
    bytesPulled += length;
    ByteBuffer bytes = sink.bytes().slice(from, length);
    byte[] known = readable.getOrDefault(handle, new byte[] {(byte) handle});
    for (int i = 0; bytes.hasRemaining(); i++) {
      bytes.put(known[(int) (offset + i) % known.length]);
    }
    answers.add(() -> machine.sendQueueCompleted(id,
        !readsFail && disconnected.isEmpty(), now));
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public long bytesServed() {
    return bytesServed;
  }

  @Override
  public void expose(ExposedRegion exposure, Region region, boolean remoteWrite) {
    exposuresAskedFor++;
    if (exposingFails) {
      answers.add(() -> exposure.failed("no room", ending));
      return;
    }
    int tag = ++lastTag;
    tags.put(exposure, tag);
    exposed.put(tag, region);
    writable.put(tag, remoteWrite);
    reachable.put(exposure, new Reach(tag, region));
    answers.add(() -> exposure.ready(tag, 0));
  }

  @Override
  public void revoke(ExposedRegion exposure) {
    Integer tag = tags.remove(exposure);
    if (tag == null) {
      assertThat(disconnected).as("revoked, though the peer has invalidated it").isNotEmpty();
      return;
    }
    revoked.add(Integer.toHexString(tag));
    exposed.remove(tag);
    answers.add(() -> {
      reachable.remove(exposure);
      exposure.revoked();
    });
  }

  @Override
  public void disconnect(String reason) {
    disconnected = reason;
    answers.add(() -> lose(reason));
  }

  // Memory

  @Override
  public MessageBuffer takeSendBuffer() {
    return new HeapRegion(settings.outboundInline());
  }

  @Override
  public void allocate(int length, RegionListener listener) {
    if (memoryFails || length > largestRegion) {
      listener.failed("None left");
      return;
    }
    if (memoryHeld) {
      memoryToCome.add(() -> {
        if (memoryFails) {
          listener.failed("None left");
        } else {
          listener.ready(new HeapRegion(length));
        }
      });
    } else {
      listener.ready(new HeapRegion(length));
    }
  }

  /** Memory of the pool comes at last. */
  void releaseMemory() {
    memoryHeld = false;
    memoryToCome.forEach(Runnable::run);
    memoryToCome.clear();
    settle();
  }

  @Override
  public void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener) {
    allocate(length, new RegionListener() {
      @Override
      public void ready(Region region) {
        try {
          source.accept(region.bytes());
        } catch (RuntimeException e) {
          region.free();
          listener.failed(e.getMessage());
          return;
        }
        listener.ready(region);
      }

      @Override
      public void failed(String reason) {
        listener.failed(reason);
      }
    });
  }

  @Override
  public void regionOf(DataItem item, RegionListener listener) {
    if (itemsFail) {
      listener.failed("Not to be registered");
      return;
    }
    byte[] content = item.toByteArray();
    HeapRegion region = new HeapRegion(content.length, !(item instanceof SimulatedMemory.AppItem));
    region.bytes().put(content);
    listener.ready(region);
  }

  private final class HeapRegion implements Region, MessageBuffer {

    private final ByteBuffer bytes;
    private final boolean pooled;

    HeapRegion(int length) {
      this(length, true);
    }

    HeapRegion(int length, boolean pooled) {
      this.bytes = ByteBuffer.allocate(length);
      this.pooled = pooled;
      regions++;
    }

    @Override
    public ByteBuffer bytes() {
      return bytes.duplicate().clear();
    }

    @Override
    public int length() {
      return bytes.capacity();
    }

    @Override
    public boolean pooled() {
      return pooled;
    }

    @Override
    public DataItem toItem(int length) {
      regions--;
      return DataItem.of(bytes.duplicate().limit(length));
    }

    @Override
    public void free() {
      assertThat(reachable.values()).as("freed while the peer may reach it")
          .noneMatch(reach -> reach.region == this);
      regions--;
      // Somebody else uses it now.
      Arrays.fill(bytes.array(), (byte) 0xee);
    }
  }
}
