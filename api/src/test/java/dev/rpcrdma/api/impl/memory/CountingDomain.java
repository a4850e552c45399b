// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Protection domain without a device, which counts registrations, and fails them when a test says so. */
final class CountingDomain implements ProtectionDomain {

  private final List<LocalMemory> alive = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  /** Condition of the registrations to come. */
  private volatile Future<Void> gate = Future.succeededFuture();
  private volatile Runnable whenDeregistered = () -> {};

  private final class Block implements LocalMemory {

    private final ByteBuffer buffer;
    private final Backing backing;

    Block(ByteBuffer buffer, Backing backing) {
      this.buffer = buffer;
      this.backing = backing;
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    @Override
    public Backing backing() {
      return backing;
    }

    @Override
    public Future<Void> deregister() {
      alive.remove(this);
      whenDeregistered.run();
      return Future.succeededFuture();
    }
  }

  /** Lets registrations wait for a future, and fail if it fails. */
  void gate(Future<Void> condition) {
    gate = condition;
  }

  /** Fails registrations from now on. */
  void refuse() {
    gate(Future.failedFuture(new VerbsException(VerbsException.Kind.RESOURCES, "refused")));
  }

  void whenDeregistered(Runnable action) {
    whenDeregistered = action;
  }

  /** Number of attempts, failed ones among them. */
  int asked() {
    return asked.get();
  }

  @Override
  public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
    Future<Void> condition = gate;
    asked.incrementAndGet();
    return condition.map(open -> {
      LocalMemory block = new Block(memory, backing);
      alive.add(block);
      return block;
    });
  }

  @Override
  public int registrations() {
    return alive.size();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
