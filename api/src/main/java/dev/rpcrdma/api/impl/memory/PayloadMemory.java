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

  /** Guarded by this. */
  private final Map<ProtectionDomain, Future<LocalMemory>> registrations = new HashMap<>(2);
  /** Guarded by this. */
  private int owners = 1;

  PayloadMemory(ByteBuffer bytes, LocalMemory.Backing backing) {
    this(bytes, backing, () -> {}, Map.of(), null);
  }

  private PayloadMemory(ByteBuffer bytes, LocalMemory.Backing backing, Runnable whenReleased,
      Map<ProtectionDomain, Future<LocalMemory>> lent, PayloadMemory parent) {
    this.bytes = bytes;
    this.backing = backing;
    this.whenReleased = whenReleased;
    this.lent = lent;
    this.parent = parent;
  }

  /** A block of a pool, to which it returns. */
  public static PayloadMemory pooled(LocalMemory block, MemoryPool pool) {
    return new PayloadMemory(block.buffer(), block.backing(), () -> pool.release(block),
        Map.of(pool.domain(), Future.succeededFuture(block)), null);
  }

  /** One use of memory that is used several times and stays registered; it is told when that use is over. */
  static PayloadMemory use(PayloadMemory parent, Runnable whenReleased) {
    return new PayloadMemory(parent.bytes, parent.backing, whenReleased, Map.of(), parent);
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

  /** The registration with a domain, made if there is none. */
  synchronized Future<LocalMemory> registered(ProtectionDomain domain) {
    if (owners == 0) {
      throw new IllegalStateException("The payload was released");
    }
    if (parent != null) {
      return parent.registered(domain);
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
