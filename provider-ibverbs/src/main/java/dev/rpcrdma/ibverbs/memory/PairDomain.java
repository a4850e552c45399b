// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * The protection domain of one queue pair. Registering and deregistering take system calls, and locks of the kernel's:
 * on a worker. Regions that are left are deregistered with it, so that nothing stays pinned. From any thread.
 */
public final class PairDomain implements AutoCloseable {

  private static final int MR_BYTES = 48;

  private final RdmaCore core;
  /** Guarded by this; 0 when it is closed. */
  private long handle;
  /** Guarded by this. */
  private final Set<IbverbsRegion> regions = new HashSet<>();

  private PairDomain(RdmaCore core, long handle) {
    this.core = core;
    this.handle = handle;
  }

  /**
   * A new domain.
   *
   * @param core the libraries
   * @param context of the device
   * @return to be closed when its queue pair is destroyed
   * @throws VerbsException of kind RESOURCES if the device has no more
   */
  public static PairDomain allocate(RdmaCore core, long context) {
    try {
      return new PairDomain(core, core.made("ibv_alloc_pd", core.verbs().ibvAllocPd(context)));
    } catch (NativeException e) {
      throw new VerbsException(Kind.RESOURCES, "No protection domain for another connection: " + e.getMessage(), e);
    }
  }

  /**
   * The native domain, for what is made in it.
   *
   * @return a {@code struct ibv_pd}
   * @throws IllegalStateException if it is closed
   */
  public synchronized long handle() {
    if (handle == 0) {
      throw new IllegalStateException("The protection domain is closed");
    }
    return handle;
  }

  /**
   * Registers memory.
   *
   * @param memory a direct buffer, which stays where it is until {@link #deregister}
   * @param offset first byte
   * @param length at least 1
   * @param access of {@code enum ibv_access_flags}
   * @return the registration
   * @throws VerbsException of kind RESOURCES if the limit of locked memory is reached; or if the domain is closed
   */
  public synchronized IbverbsRegion register(ByteBuffer memory, int offset, int length, int access) {
    long address = NativeMemory.addressOf(memory) + offset;
    try {
      long region = core.made("ibv_reg_mr", core.verbs().ibvRegMr(handle(), address, length, access));
      ByteBuffer fields = NativeMemory.view(region, MR_BYTES);
      IbverbsRegion made = new IbverbsRegion(region, fields.getInt(Layouts.Mr.LKEY), fields.getInt(Layouts.Mr.RKEY));
      regions.add(made);
      if (fields.getLong(Layouts.Mr.PD) != handle || fields.getLong(Layouts.Mr.ADDR) != address
          || fields.getLong(Layouts.Mr.LENGTH) != length) {
        deregister(made);
        throw new VerbsException(Kind.UNAVAILABLE, "libibverbs.so.1 here has another struct ibv_mr than this version"
            + " knows. It is not used, since keys would be wrong");
      }
      return made;
    } catch (NativeException e) {
      throw new VerbsException(e.errno() == Errno.ENOMEM ? Kind.RESOURCES : Kind.INVALID_ARGUMENT,
          length + " bytes cannot be registered: " + e.getMessage() + (e.errno() == Errno.ENOMEM
              ? ". Raise the limit (ulimit -l, LimitMEMLOCK= of systemd), or lower maxPoolBytes" : ""), e);
    }
  }

  /**
   * Ends a registration; idempotent. On iWARP by software the device may still send of it, until a fence has passed.
   *
   * @param region of this domain
   * @return false if it had ended before
   * @throws VerbsException if the kernel refuses, which leaves the memory pinned; closing the domain tries once more
   */
  public synchronized boolean deregister(IbverbsRegion region) {
    if (!regions.contains(region)) {
      return false;
    }
    try {
      core.check("ibv_dereg_mr", core.verbs().ibvDeregMr(region.handle()));
      regions.remove(region);
      return true;
    } catch (NativeException e) {
      throw new VerbsException(Kind.RESOURCES, "Memory cannot be deregistered: " + e.getMessage(), e);
    }
  }

  /** How many registrations are alive. */
  public synchronized int regions() {
    return regions.size();
  }

  /** Ends all registrations, and the domain. Its queue pair has been destroyed before. Idempotent. */
  @Override
  public synchronized void close() {
    if (handle == 0) {
      return;
    }
    VerbsException failure = null;
    for (IbverbsRegion region : Set.copyOf(regions)) {
      try {
        deregister(region);
      } catch (VerbsException e) {
        failure = e;
      }
    }
    long last = handle;
    handle = 0;
    if (failure != null) {
      // A domain that has regions cannot be freed.
      throw failure;
    }
    try {
      core.check("ibv_dealloc_pd", core.verbs().ibvDeallocPd(last));
    } catch (NativeException e) {
      throw new VerbsException(Kind.RESOURCES, "A protection domain cannot be freed: " + e.getMessage(), e);
    }
  }
}
