// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The counted memory that payloads and their slices share, and its registrations.
 *
 * <p>It is registered with a protection domain when a connection first needs it there, and stays so
 * until the last owner lets go. The bytes themselves are left to the garbage collector, or go back to
 * the pool they came from: a view that someone kept too long may then see other bytes, but is never a
 * hole in the process's memory.
 */
public final class PayloadMemory {

  private final ByteBuffer bytes;
  private final LocalMemory.Backing backing;
  private final Runnable whenReleased;
  /** Registrations that are not ours to end: of a pool's block, its own. */
  private final Map<ProtectionDomain, Future<LocalMemory>> lent;
  /** Whose registrations it uses; null if they are its own. */
  private final PayloadMemory parent;
  /** Null if it is no file. */
  private final MappedFile file;

  /** Guarded by this. */
  private final Map<ProtectionDomain, Future<LocalMemory>> registrations = new HashMap<>(2);
  /** Guarded by this. */
  private int owners = 1;

  PayloadMemory(ByteBuffer bytes) {
    this(bytes, LocalMemory.Backing.MEMORY, () -> {}, Map.of(), null, null);
  }

  private PayloadMemory(ByteBuffer bytes, LocalMemory.Backing backing, Runnable whenReleased,
      Map<ProtectionDomain, Future<LocalMemory>> lent, PayloadMemory parent, MappedFile file) {
    this.bytes = bytes;
    this.backing = backing;
    this.whenReleased = whenReleased;
    this.lent = lent;
    this.parent = parent;
    this.file = file;
  }

  /** A block of a pool, to which it returns. */
  public static PayloadMemory pooled(LocalMemory block, MemoryPool pool) {
    return new PayloadMemory(block.buffer(), block.backing(), () -> pool.release(block),
        Map.of(pool.domain(), Future.succeededFuture(block)), null, null);
  }

  /** One use of memory that is used several times and stays registered; it is told when that use is over. */
  static PayloadMemory use(PayloadMemory parent, Runnable whenReleased) {
    return new PayloadMemory(parent.bytes, parent.backing, whenReleased, Map.of(), parent, null);
  }

  /** A mapping, which closes its file. */
  static PayloadMemory of(ByteBuffer bytes, MappedFile file) {
    return new PayloadMemory(bytes, LocalMemory.Backing.MAPPED_FILE, file::close, Map.of(), null, file);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  synchronized boolean released() {
    return owners == 0;
  }

  synchronized boolean tryRetain() {
    if (owners == 0) {
      return false;
    }
    owners++;
    return true;
  }

  synchronized boolean tryRelease() {
    if (owners == 0) {
      return false;
    }
    if (--owners == 0) {
      registrations.values().forEach(r -> r.onSuccess(LocalMemory::deregister));
      registrations.clear();
      whenReleased.run();
    }
    return true;
  }

  /** The registration with a domain, made if there is none; fails if the memory is not all there. */
  Future<LocalMemory> registered(ProtectionDomain domain) {
    return file == null ? registration(domain) : file.check().compose(there -> registration(domain));
  }

  private synchronized Future<LocalMemory> registration(ProtectionDomain domain) {
    if (owners == 0) {
      throw new IllegalStateException("The payload was released");
    }
    if (parent != null) {
      return parent.registration(domain);
    }
    Future<LocalMemory> known = lent.getOrDefault(domain, registrations.get(domain));
    if (known != null && !known.failed()) {
      return known;
    }
    Future<LocalMemory> registration = domain.register(bytes, backing);
    registrations.put(domain, registration);
    return registration;
  }
}
