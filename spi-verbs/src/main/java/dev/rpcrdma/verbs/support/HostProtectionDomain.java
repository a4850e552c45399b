// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A scope of {@link HostMemory}. Registering takes no time, since nothing is pinned. Safe for all threads. */
public class HostProtectionDomain implements ProtectionDomain {

  private final Set<HostMemory> memories = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Creates an empty domain. */
  public HostProtectionDomain() {}

  @Override
  public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
    if (closed) {
      return closedFailure();
    }
    if (!memory.isDirect()) {
      return Future.failedFuture(new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "Only direct buffers can be registered; use ByteBuffer.allocateDirect"));
    }
    HostMemory registered = registration(memory.duplicate().clear(), backing);
    memories.add(registered);
    // A close at the same time may have looked before this one was there.
    return closed ? registered.deregister().compose(done -> closedFailure())
        : Future.succeededFuture(registered);
  }

  /**
   * Makes a registration, which may be of a provider's own kind.
   *
   * @param buffer the memory, of which everything between 0 and the capacity is registered
   * @param backing what is behind it
   * @return a new registration in this domain
   */
  protected HostMemory registration(ByteBuffer buffer, LocalMemory.Backing backing) {
    return new HostMemory(this, buffer, backing);
  }

  private static Future<LocalMemory> closedFailure() {
    return Future.failedFuture(
        new VerbsException(VerbsException.Kind.CLOSED, "The protection domain is closed"));
  }

  void released(HostMemory memory) {
    memories.remove(memory);
  }

  @Override
  public int registrations() {
    return memories.size();
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<Void>> pending = new ArrayList<>();
    memories.forEach(memory -> pending.add(memory.deregister()));
    return Future.all(pending).mapEmpty();
  }
}
