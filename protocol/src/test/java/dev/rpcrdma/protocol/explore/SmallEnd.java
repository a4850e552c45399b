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

  /** A Read whose data has left the peer; null if there is nobody to send any. */
  private record Pulled(long id, Region sink, int from, byte[] data) {}

  private final SmallWorld world;
  private final Consumer<IncomingCall> service;
  final ConnectionSettings settings;
  final Deadlines deadlines = new Deadlines();
  final ConnectionMachine machine;
  SmallEnd peer;
  /** Messages that have left the peer. */
  final ArrayDeque<byte[]> inbox = new ArrayDeque<>();
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
      all.add(new SmallWorld.Event(() -> name.get() + " gets a message", true, () ->
          machine.received(ByteBuffer.wrap(inbox.poll()), OptionalInt.empty(), world.now)));
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
  public <S, T> void run(Step<S, T> step, S subject, T argument) {
    step.take(subject, argument, world.now);
  }

  @Override
  public long now() {
    return world.now;
  }

  @Override
  public void postSend(long id, MessageBuffer message, int length) {
    byte[] bytes = new byte[length];
    message.bytes().get(bytes);
    if (!peer.told && !told) {
      peer.inbox.add(bytes);
    }
    atOnce(() -> machine.sendQueueCompleted(id, true, world.now));
  }

  @Override
  public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
    throw new AssertionError("Not agreed");
  }

  @Override
  public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
    throw new AssertionError("No call offers room for it");
  }

  @Override
  public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
    Region region = peer.exposed.get(handle);
    byte[] data = null;
    if (region != null) {
      data = new byte[length];
      region.bytes().get((int) offset, data);
    } else if (!peer.told) {
      // A tag that is revoked ends the connection.
      ending = true;
    }
    reads.add(new Pulled(id, sink, from, data));
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
    allocateFilled(item.length(), item::copyTo, listener);
  }

  private static final class HeapRegion implements Region, MessageBuffer {

    private final byte[] bytes;

    HeapRegion(int length) {
      this.bytes = new byte[length];
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
      return true;
    }

    @Override
    public DataItem toItem(int length) {
      return DataItem.of(ByteBuffer.wrap(bytes, 0, length));
    }

    @Override
    public void free() {}
  }
}
