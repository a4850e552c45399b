// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.base.Causes;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The memory of one connection: the send buffers of its loop, the device's pool, and payloads of the application.
 * What a device registers elsewhere comes back to the event loop here.
 */
public final class ConnectionMemory implements Memory {

  /** What is copied on an event loop at most: some 100 µs. More is copied by a worker. */
  private static final int LOOP_COPY = 1 << 20;

  private final EventLoop loop;
  private final ProtectionDomain domain;
  private final MemoryPool pool;
  private final SendPool sends;

  public ConnectionMemory(EventLoop loop, ProtectionDomain domain, MemoryPool pool,
      SendPool sends) {
    this.loop = loop;
    this.domain = domain;
    this.pool = pool;
    this.sends = sends;
  }

  @Override
  public boolean hasSendBuffer() {
    return sends.hasBuffer();
  }

  @Override
  public void awaitSendBuffer(Runnable action) {
    sends.await(action);
  }

  @Override
  public MessageBuffer takeSendBuffer() {
    return sends.take();
  }

  @Override
  public void allocate(int length, RegionListener listener) {
    deliver(pool.acquire(length), listener, memory -> new PoolRegion(pool, memory, length));
  }

  @Override
  public void regionOf(DataItem item, RegionListener listener) {
    if (item instanceof PayloadImpl payload) {
      payload.retain();
      deliver(payload.registered(domain).onFailure(e -> payload.release()), listener,
          memory -> new PayloadRegion(payload, memory));
      return;
    }
    allocateFilled(item.length(), item::copyTo, listener);
  }

  @Override
  public void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener) {
    allocate(length, new RegionListener() {
      @Override
      public void ready(Region region) {
        if (length > LOOP_COPY) {
          fillElsewhere(region, source, listener);
        } else if (fill(region, source, listener)) {
          listener.ready(region);
        }
      }

      @Override
      public void failed(String reason) {
        listener.failed(reason);
      }
    });
  }

  private static boolean fill(Region region, Consumer<ByteBuffer> source, RegionListener listener) {
    try {
      source.accept(region.bytes());
      return true;
    } catch (Throwable e) {
      // Such as an item that was released too often.
      region.free();
      listener.failed(reason(e));
      return false;
    }
  }

  /** A gigabyte takes longer to copy than an event loop can wait. */
  private void fillElsewhere(Region region, Consumer<ByteBuffer> source, RegionListener listener) {
    pool.workers().run(() -> {
      source.accept(region.bytes());
      return null;
    }).onComplete(filled -> loop.execute(() -> {
      if (filled.succeeded()) {
        listener.ready(region);
      } else {
        region.free();
        listener.failed(reason(filled.cause()));
      }
    }));
  }

  /** Never null, by which a machine would take a failure for none: a channel that is closed has no message. */
  private static String reason(Throwable cause) {
    return Causes.message(cause);
  }

  private interface Maker {
    Region make(LocalMemory memory);
  }

  private void deliver(Future<LocalMemory> memory, RegionListener listener, Maker maker) {
    if (memory.succeeded()) {
      listener.ready(maker.make(memory.result()));
      return;
    }
    if (memory.failed()) {
      listener.failed(reason(memory.cause()));
      return;
    }
    memory.onComplete(result -> loop.execute(() -> {
      if (result.succeeded()) {
        listener.ready(maker.make(result.result()));
      } else {
        listener.failed(reason(result.cause()));
      }
    }));
  }

  /** A block of the pool. */
  private static final class PoolRegion implements MemoryRegion {

    private final MemoryPool pool;
    private final LocalMemory memory;
    private final int length;

    PoolRegion(MemoryPool pool, LocalMemory memory, int length) {
      this.pool = pool;
      this.memory = memory;
      this.length = length;
    }

    @Override
    public LocalMemory memory() {
      return memory;
    }

    @Override
    public int memoryOffset() {
      return 0;
    }

    @Override
    public ByteBuffer bytes() {
      return memory.buffer().slice(0, length);
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public boolean pooled() {
      return true;
    }

    @Override
    public DataItem toItem(int itemLength) {
      return new PayloadImpl(PayloadMemory.pooled(memory, pool), 0, itemLength);
    }

    @Override
    public void free() {
      pool.release(memory);
    }
  }

  /** Memory of the application, which keeps an owner while the connection uses it. */
  private static final class PayloadRegion implements MemoryRegion {

    private final PayloadImpl payload;
    private final LocalMemory memory;

    PayloadRegion(PayloadImpl payload, LocalMemory memory) {
      this.payload = payload;
      this.memory = memory;
    }

    @Override
    public LocalMemory memory() {
      return memory;
    }

    @Override
    public int memoryOffset() {
      return payload.memoryOffset();
    }

    @Override
    public ByteBuffer bytes() {
      return payload.bytes();
    }

    @Override
    public int length() {
      return payload.length();
    }

    @Override
    public boolean pooled() {
      return false;
    }

    @Override
    public DataItem toItem(int length) {
      // The region's owner becomes the owner of a slice.
      Payload slice = payload.slice(0, length);
      payload.release();
      return slice;
    }

    @Override
    public void free() {
      payload.release();
    }
  }
}
