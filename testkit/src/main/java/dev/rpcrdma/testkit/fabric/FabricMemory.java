package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.GuardedCopy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A registration: a direct buffer, and how many work requests and exposures use it. The registration itself is one
 * use, given up by the first {@link #deregister}, which completes with the last use. Safe for all threads.
 */
final class FabricMemory implements LocalMemory {

  private final FabricDomain domain;
  private final ByteBuffer buffer;
  private final Backing backing;
  private final AtomicInteger uses = new AtomicInteger(1);
  private final Promise<Void> released = Promise.promise();
  private volatile boolean deregistered;

  FabricMemory(FabricDomain domain, ByteBuffer buffer, Backing backing) {
    this.domain = domain;
    this.buffer = buffer;
    this.backing = backing;
  }

  /**
   * The memory that a caller named, if it may be used.
   *
   * @throws VerbsException of kind INVALID_ARGUMENT if it is not of this domain, is deregistered, or does not have
   *     that range
   */
  static FabricMemory check(LocalMemory memory, FabricDomain domain, int offset, int length) {
    if (!(memory instanceof FabricMemory own) || own.domain != domain) {
      throw invalid("The memory is not registered in the protection domain of this queue pair");
    }
    if (own.deregistered) {
      throw deregisteredMemory();
    }
    if (offset < 0 || length < 0 || offset > own.buffer.capacity() - length) {
      throw invalid("The range " + offset + "+" + length + " is outside the memory of " + own.buffer.capacity()
          + " bytes");
    }
    return own;
  }

  /**
   * As {@link #check}, for memory that something is to be placed in.
   *
   * @throws VerbsException of kind INVALID_ARGUMENT also if it is read-only
   */
  static FabricMemory checkSink(LocalMemory memory, FabricDomain domain, int offset, int length) {
    FabricMemory own = check(memory, domain, offset, length);
    if (own.readOnly()) {
      throw invalid("The memory is read-only");
    }
    return own;
  }

  private static VerbsException deregisteredMemory() {
    return invalid("The memory is deregistered");
  }

  private static VerbsException invalid(String message) {
    return new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, message);
  }

  boolean readOnly() {
    return buffer.isReadOnly();
  }

  /**
   * A work request or an exposure begins to use the memory.
   *
   * @throws VerbsException of kind INVALID_ARGUMENT if another thread has deregistered it since it was checked
   */
  void use() {
    if (uses.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      throw deregisteredMemory();
    }
  }

  /** A work request or an exposure no longer uses the memory. */
  void unuse() {
    if (uses.decrementAndGet() == 0) {
      domain.released(this);
      released.complete();
    }
  }

  /**
   * Copies checked bytes.
   *
   * @throws InternalError if one of the two is a mapped file that has been truncated
   */
  static void copy(FabricMemory from, int fromIndex, FabricMemory to, int toIndex, int length) {
    if (from.backing == Backing.MAPPED_FILE || to.backing == Backing.MAPPED_FILE) {
      GuardedCopy.copy(to.buffer, toIndex, from.buffer, fromIndex, length);
    } else {
      to.buffer.put(toIndex, from.buffer, fromIndex, length);
    }
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
    boolean first;
    synchronized (this) {
      first = !deregistered;
      deregistered = true;
    }
    if (first) {
      unuse();
    }
    return released.future();
  }
}
