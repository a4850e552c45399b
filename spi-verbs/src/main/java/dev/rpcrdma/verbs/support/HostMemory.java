// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The registration of a provider that pins nothing: a direct buffer, and how often work requests and exposures use it.
 *
 * <p>The count lets {@link #deregister} complete only when nothing refers to the memory any more. The registration
 * itself is one use, given up by the first {@code deregister}. Safe for all threads.
 */
public class HostMemory implements LocalMemory {

  private final HostProtectionDomain domain;
  private final ByteBuffer buffer;
  private final Backing backing;
  private final AtomicInteger uses = new AtomicInteger(1);
  private final Promise<Void> released = Promise.promise();
  private volatile boolean deregistered;

  /**
   * Creates a registration; a domain does it for its callers.
   *
   * @param domain is told when nothing uses the memory any more
   * @param buffer the memory, of which everything between 0 and the capacity is registered
   * @param backing what is behind it
   */
  protected HostMemory(HostProtectionDomain domain, ByteBuffer buffer, Backing backing) {
    this.domain = domain;
    this.buffer = buffer;
    this.backing = backing;
  }

  /**
   * The memory that a caller named, if it may be used.
   *
   * @param memory what was given
   * @param domain the domain of the queue pair
   * @param offset first byte
   * @param length number of bytes
   * @return the memory
   * @throws VerbsException of kind INVALID_ARGUMENT if it is not of this domain, is deregistered,
   *     or does not have that range
   */
  public static HostMemory check(LocalMemory memory, HostProtectionDomain domain, int offset,
      int length) {
    if (!(memory instanceof HostMemory own) || own.domain != domain) {
      throw invalid("The memory is not registered in the protection domain of this queue pair");
    }
    if (own.deregistered) {
      throw deregisteredMemory();
    }
    if (offset < 0 || length < 0 || offset > own.buffer.capacity() - length) {
      throw invalid("The range " + offset + "+" + length + " is outside the memory of "
          + own.buffer.capacity() + " bytes");
    }
    return own;
  }

  /**
   * As {@link #check}, for memory that something is to be placed in.
   *
   * @param memory what was given
   * @param domain the domain of the queue pair
   * @param offset first byte
   * @param length number of bytes
   * @return the memory
   * @throws VerbsException of kind INVALID_ARGUMENT also if it is read-only
   */
  public static HostMemory checkSink(LocalMemory memory, HostProtectionDomain domain, int offset,
      int length) {
    HostMemory own = check(memory, domain, offset, length);
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

  /**
   * A post or an exposure starts to use the memory.
   *
   * @throws VerbsException of kind INVALID_ARGUMENT if another thread has deregistered it since it was
   *     checked, and nothing else used it: its owner has it back already
   */
  public void use() {
    if (uses.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      throw deregisteredMemory();
    }
  }

  /** A post or an exposure no longer uses the memory. */
  public void unuse() {
    if (uses.decrementAndGet() == 0) {
      domain.released(this);
      released.complete();
    }
  }

  /**
   * Copies checked bytes out.
   *
   * @param index of the first byte in this memory
   * @param length number of bytes
   * @param target where to
   * @param at index in the target, whose position stays
   * @throws InternalError if the memory is a mapped file that has been truncated
   */
  public void copyTo(int index, int length, ByteBuffer target, int at) {
    if (mapped()) {
      GuardedCopy.copy(target, at, buffer, index, length);
    } else {
      target.put(at, buffer, index, length);
    }
  }

  /**
   * Places checked bytes.
   *
   * @param index of the first byte in this memory
   * @param source where from
   * @param at index in the source, whose position stays
   * @param length number of bytes
   * @throws InternalError if the memory is a mapped file that has been truncated
   */
  public void place(int index, ByteBuffer source, int at, int length) {
    if (mapped()) {
      GuardedCopy.copy(buffer, index, source, at, length);
    } else {
      buffer.put(index, source, at, length);
    }
  }

  /**
   * Whether the bytes may vanish while they are read.
   *
   * @return true for a mapped file
   */
  public boolean mapped() {
    return backing == Backing.MAPPED_FILE;
  }

  /**
   * Whether nothing can be placed in it.
   *
   * @return true for a read-only buffer
   */
  public boolean readOnly() {
    return buffer.isReadOnly();
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
