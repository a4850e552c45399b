// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.Fabric;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.ConnectionListener;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One end of a {@link SmallLink}: the fabric and the memory of a real machine. */
final class SmallEnd implements Fabric, Memory, LoopPort, ConnectionListener {

  /** A Read; its data is null until the peer's device has served it, and for good if there is nobody to send any. */
  private static final class Pulled {

    private final long id;
    private final Region sink;
    private final int from;
    private byte[] data;

    Pulled(long id, Region sink, int from) {
      this.id = id;
      this.sink = sink;
      this.from = from;
    }
  }

  /** Effect of the peer that is on its way to this end. */
  private sealed interface Arrival {}

  private record Message(byte[] bytes, OptionalInt invalidated) implements Arrival {}

  private record Write(int handle, long offset, byte[] data) implements Arrival {}

  private record ReadRequest(Pulled read, int handle, long offset, int length) implements Arrival {}

  private final SmallWorld world;
  private final Consumer<IncomingCall> service;
  final ConnectionSettings settings;
  final Deadlines deadlines = new Deadlines();
  final ConnectionMachine machine;
  SmallEnd peer;
  /** Whatever has left the peer, in its order. */
  private final ArrayDeque<Arrival> inbox = new ArrayDeque<>();
  private final ArrayDeque<Pulled> reads = new ArrayDeque<>();
  /** Memory that is still to come. */
  final List<Runnable> memory = new ArrayList<>();
  private final Map<Integer, Region> exposed = new HashMap<>();
  private final Map<ExposedRegion, Integer> handles = new HashMap<>();
  private int lastHandle;
  boolean ending;
  boolean told;

  SmallEnd(SmallWorld world, ConnectionSettings settings, XidSlots xids, CallHistory history,
      Consumer<IncomingCall> service) {
    this.world = world;
    this.settings = settings;
    this.service = service;
    this.machine = new ConnectionMachine(this, this, deadlines, this, this, settings, xids, history);
  }

  void offer(List<SmallWorld.Event> all, Supplier<String> name) {
    if (!told && !inbox.isEmpty()) {
      all.add(new SmallWorld.Event(() -> name.get() + " gets a " + inbox.peek().getClass().getSimpleName(), true,
          () -> arrived(inbox.poll())));
    }
    if (!told && !reads.isEmpty() && reads.peek().data != null) {
      all.add(new SmallWorld.Event(() -> name.get() + " has read a chunk", true, () -> {
        Pulled read = reads.poll();
        read.sink.bytes().slice(read.from, read.data.length).put(read.data);
        machine.sendQueueCompleted(read.id, true, world.now);
      }));
    }
    if (!memory.isEmpty()) {
      all.add(new SmallWorld.Event(() -> name.get() + " gets memory", true, () -> memory.remove(0).run()));
    }
  }

  private void arrived(Arrival arrival) {
    if (arrival instanceof Message message) {
      if (message.invalidated.isPresent() && !invalidate(message.invalidated.getAsInt())) {
        takenBack();
        return;
      }
      machine.received(ByteBuffer.wrap(message.bytes), message.invalidated, world.now);
    } else if (arrival instanceof Write write) {
      Region region = exposed.get(write.handle);
      if (region == null) {
        takenBack();
      } else {
        region.bytes().put((int) write.offset, write.data);
      }
    } else if (arrival instanceof ReadRequest request) {
      serve(request);
    }
  }

  private boolean invalidate(int handle) {
    handles.values().removeIf(value -> value == handle);
    return exposed.remove(handle) != null;
  }

  private void serve(ReadRequest request) {
    Region region = exposed.get(request.handle);
    if (region == null) {
      takenBack();
    } else {
      request.read.data = new byte[request.length];
      region.bytes().get((int) request.offset, request.read.data);
    }
  }

  /** Ends the connection, since the peer has reached for memory that was taken back. No patient end sees that. */
  private void takenBack() {
    ending = true;
    if (world.plan.lends() && world.plan.timeOuts() == 0 && !world.anyCut()) {
      throw new ExploredCall.Violation("The peer reaches for memory that was taken back");
    }
  }

  void forgetArrivals() {
    inbox.clear();
  }

  /** Whether it may see the end of the connection: asked for by either side, or the other is gone. */
  boolean endIsDue() {
    return !told && (ending || peer.told || peer.ending);
  }

  void tell() {
    told = true;
    inbox.clear();
    exposed.clear();
    while (!reads.isEmpty()) {
      machine.sendQueueCompleted(reads.poll().id, false, world.now);
    }
    machine.disconnected("cut", OptionalInt.empty(), world.now);
  }

  // ConnectionListener

  @Override
  public void incoming(IncomingCall call, long time) {
    service.accept(call);
  }

  @Override
  public void encodingFailed(IncomingCall call, Throwable cause) {
    throw new AssertionError(cause);
  }

  // Fabric

  private void atOnce(Runnable answer) {
    world.atOnce.add(() -> {
      if (!told) {
        answer.run();
      }
    });
  }

  @Override
  public <S, T> void run(Task<S, T> task, S subject, T argument) {
    task.run(subject, argument, world.now);
  }

  @Override
  public long now() {
    return world.now;
  }

  @Override
  public void postSend(long id, MessageBuffer message, int length) {
    byte[] bytes = new byte[length];
    message.bytes().get(bytes);
    send(new Message(bytes, OptionalInt.empty()));
    atOnce(() -> machine.sendQueueCompleted(id, true, world.now));
  }

  private void send(Arrival arrival) {
    if (!peer.told && !told) {
      peer.inbox.add(arrival);
    }
  }

  @Override
  public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
    if (!settings.remoteInvalidation()) {
      throw new AssertionError("Not agreed");
    }
    byte[] bytes = new byte[length];
    message.bytes().get(bytes);
    send(new Message(bytes, OptionalInt.of(handle)));
    atOnce(() -> machine.sendQueueCompleted(id, true, world.now));
  }

  @Override
  public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
    byte[] data = new byte[length];
    source.bytes().get(from, data);
    send(new Write(handle, offset, data));
    atOnce(() -> machine.sendQueueCompleted(id, true, world.now));
  }

  @Override
  public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
    Pulled read = new Pulled(id, sink, from);
    reads.add(read);
    ReadRequest request = new ReadRequest(read, handle, offset, length);
    if (world.plan.lends()) {
      send(request);
    } else if (!peer.told) {
      // When it is served makes a difference only where memory is taken back meanwhile.
      peer.serve(request);
    }
  }

  @Override
  public void expose(ExposedRegion exposure, Region region, boolean remoteWrite) {
    int handle = ++lastHandle;
    atOnce(() -> {
      exposed.put(handle, region);
      handles.put(exposure, handle);
      exposure.ready(handle, 0);
    });
  }

  @Override
  public void revoke(ExposedRegion exposure) {
    atOnce(() -> {
      exposed.remove(handles.remove(exposure));
      exposure.revoked();
    });
  }

  @Override
  public void disconnect(String reason) {
    ending = true;
  }

  // Memory

  @Override
  public MessageBuffer takeSendBuffer() {
    return new HeapRegion(settings.outboundInline());
  }

  @Override
  public void allocate(int length, RegionListener listener) {
    if (world.plan.lateMemory()) {
      memory.add(() -> listener.ready(new HeapRegion(length)));
    } else {
      listener.ready(new HeapRegion(length));
    }
  }

  @Override
  public void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener) {
    HeapRegion region = new HeapRegion(length);
    source.accept(region.bytes());
    if (world.plan.lateMemory()) {
      memory.add(() -> listener.ready(region));
    } else {
      listener.ready(region);
    }
  }

  @Override
  public void regionOf(DataItem item, RegionListener listener) {
    HeapRegion region = new HeapRegion(item.length(), false);
    item.copyTo(region.bytes());
    if (world.plan.lateMemory()) {
      memory.add(() -> listener.ready(region));
    } else {
      listener.ready(region);
    }
  }

  private static final class HeapRegion implements Region, MessageBuffer {

    private final byte[] bytes;
    private final boolean pooled;

    HeapRegion(int length) {
      this(length, true);
    }

    HeapRegion(int length, boolean pooled) {
      this.bytes = new byte[length];
      this.pooled = pooled;
    }

    @Override
    public ByteBuffer bytes() {
      return ByteBuffer.wrap(bytes);
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public boolean pooled() {
      return pooled;
    }

    @Override
    public DataItem toItem(int length) {
      return DataItem.of(ByteBuffer.wrap(bytes, 0, length));
    }

    @Override
    public void free() {}
  }
}
