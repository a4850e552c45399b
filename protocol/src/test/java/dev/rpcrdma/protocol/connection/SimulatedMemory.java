// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** Memory that knows who owns it. */
public final class SimulatedMemory implements Memory {

  private final ConnectionSettings settings;
  private final SimulatedFabric.End end;
  /** Whether other connections have taken all send buffers that are left. */
  private boolean othersHaveAll;
  private Runnable whenBufferComes = () -> { };
  int sendBuffersInUse;
  int regionsInUse;

  SimulatedMemory(ConnectionSettings settings, SimulatedFabric.End end) {
    this.settings = settings;
    this.end = end;
  }

  @Override
  public boolean hasSendBuffer() {
    return !othersHaveAll;
  }

  @Override
  public void awaitSendBuffer(Runnable action) {
    whenBufferComes = action;
  }

  boolean othersHaveAll() {
    return othersHaveAll;
  }

  /** Other connections give some of their send buffers back. */
  void othersGiveBack() {
    othersHaveAll = false;
    Runnable waiting = whenBufferComes;
    whenBufferComes = () -> { };
    waiting.run();
  }

  @Override
  public MessageBuffer takeSendBuffer() {
    assertThat(othersHaveAll).as("taken where there is none").isFalse();
    sendBuffersInUse++;
    othersHaveAll = end.othersTakeAll();
    assertThat(sendBuffersInUse).as("send buffers").isLessThanOrEqualTo(settings.sendSlots());
    return new Memo(ByteBuffer.allocate(settings.outboundInline()), true,
        () -> sendBuffersInUse--);
  }

  @Override
  public void allocate(int length, RegionListener listener) {
    if (end.fails()) {
      listener.failed("simulated");
      return;
    }
    end.inTime(() -> {
      regionsInUse++;
      listener.ready(new Memo(ByteBuffer.allocate(length), true, () -> regionsInUse--));
    });
  }

  @Override
  public void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener) {
    allocate(length, new RegionListener() {
      @Override
      public void ready(Region region) {
        source.accept(region.bytes());
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
    if (item instanceof AppItem app) {
      app.retain();
      regionsInUse++;
      listener.ready(new Memo(app.bytes, false, () -> {
        regionsInUse--;
        app.release();
      }));
      return;
    }
    allocateFilled(item.length(), item::copyTo, listener);
  }

  /** Memory of the application: it counts its owners. */
  public static final class AppItem implements DataItem {

    final ByteBuffer bytes;
    public int owners = 1;
    /** Runs when the application has the memory for itself again. */
    public Runnable whenAlone = () -> {};

    public AppItem(byte[] bytes) {
      this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int length() {
      return bytes.capacity();
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.put(bytes.duplicate().clear());
    }

    @Override
    public boolean tryRetain() {
      assertThat(owners).isPositive();
      owners++;
      return true;
    }

    @Override
    public boolean tryRelease() {
      assertThat(owners).isPositive();
      owners--;
      if (owners == 1) {
        whenAlone.run();
      }
      return true;
    }
  }

  /** A region with one owner. */
  final class Memo implements Region, MessageBuffer {

    private final ByteBuffer bytes;
    private final boolean pooled;
    private final Runnable whenFreed;
    private boolean freed;

    Memo(ByteBuffer bytes, boolean pooled, Runnable whenFreed) {
      this.bytes = bytes;
      this.pooled = pooled;
      this.whenFreed = whenFreed;
    }

    @Override
    public ByteBuffer bytes() {
      assertThat(freed).as("use after free").isFalse();
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
      return new RegionItem(this, length);
    }

    @Override
    public void free() {
      assertThat(freed).as("double free").isFalse();
      freed = true;
      end.requireNotExposed(this);
      whenFreed.run();
    }
  }

  /** An item over a region; freeing its last owner frees the region. */
  private static final class RegionItem implements DataItem {

    private final Memo region;
    private final int length;
    private int owners = 1;

    RegionItem(Memo region, int length) {
      this.region = region;
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.put(region.bytes().slice(0, length));
    }

    @Override
    public Optional<DataItem> part(int offset, int count) {
      retain();
      return Optional.of(new PartItem(this, offset, count));
    }

    @Override
    public boolean tryRetain() {
      owners++;
      return true;
    }

    @Override
    public boolean tryRelease() {
      if (--owners == 0) {
        region.free();
      }
      return true;
    }
  }

  /** A part of one, which counts the owners of the whole. */
  private record PartItem(RegionItem whole, int offset, int length) implements DataItem {

    @Override
    public void copyTo(ByteBuffer target) {
      target.put(whole.region.bytes().slice(offset, length));
    }

    @Override
    public boolean tryRetain() {
      return whole.tryRetain();
    }

    @Override
    public boolean tryRelease() {
      return whole.tryRelease();
    }
  }
}
