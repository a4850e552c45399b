// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Memory that a consumer has registered. The device hears of it when a queue pair posts it first, since each queue pair
 * has a protection domain of its own; those that have registered it there are told when the consumer wants it back.
 * From any thread.
 */
public final class SharedMemory extends HostMemory {

  /** Guarded by itself; null once they have been told. */
  private Set<Runnable> holders = new HashSet<>();
  private final Object lock = new Object();

  SharedMemory(HostProtectionDomain domain, ByteBuffer buffer, Backing backing) {
    super(domain, buffer, backing);
  }

  /**
   * Somebody registers it with a device.
   *
   * @param told once, when it is to be deregistered there
   * @return false if that was asked for before
   */
  boolean hold(Runnable told) {
    synchronized (lock) {
      return holders != null && holders.add(told);
    }
  }

  /** It is registered there no more. */
  void letGo(Runnable told) {
    synchronized (lock) {
      if (holders != null) {
        holders.remove(told);
      }
    }
  }

  @Override
  public Future<Void> deregister() {
    Future<Void> done = super.deregister();
    List<Runnable> told;
    synchronized (lock) {
      told = holders == null ? List.of() : List.copyOf(holders);
      holders = null;
    }
    told.forEach(Runnable::run);
    return done;
  }
}
