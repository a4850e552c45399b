// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.work.Jobs;
import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The memory that one queue pair posts: registered in its domain when it is posted first, and until its consumer wants
 * it back. On the owning loop.
 */
public final class PairMemory {

  /** What is registered in less time than it takes to have it done elsewhere, and to hear of it. */
  private static final int SMALL_BYTES = 1 << 20;

  private final PairDomain domain;
  private final Jobs jobs;
  private final EventLoop loop;
  private final Runnable ready;
  private final Consumer<VerbsException> failed;
  private final Map<SharedMemory, LocalRegion> regions = new HashMap<>();

  /**
   * Of a queue pair that has posted nothing.
   *
   * @param domain of the queue pair
   * @param jobs that register, off the loop
   * @param loop that owns the queue pair
   * @param ready called when posts that wait for a registration can go on
   * @param failed gets why memory cannot be registered, which the queue pair cannot survive
   */
  public PairMemory(PairDomain domain, Jobs jobs, EventLoop loop, Runnable ready, Consumer<VerbsException> failed) {
    this.domain = domain;
    this.jobs = jobs;
    this.loop = loop;
    this.ready = ready;
    this.failed = failed;
  }

  /**
   * A post begins to use memory, which is registered if need be.
   *
   * @param memory whose use was begun
   * @param offset of the post
   * @param length of the post
   * @param atOnce whether to register it here and now, if it is small: for what must not wait
   * @return what the post names it by once it is ready; null if its consumer wants it back already, so that the post
   *     will never be made
   */
  public LocalRegion begin(SharedMemory memory, int offset, int length, boolean atOnce) {
    LocalRegion region = memory.mapped() ? ofFile(memory, offset, length) : regions.get(memory);
    if (region == null) {
      region = register(memory, atOnce && memory.length() <= SMALL_BYTES);
    }
    if (region != null) {
      region.posts++;
    }
    return region;
  }

  /** A post has used memory. */
  public void end(LocalRegion region) {
    region.posts--;
    if (region.isOver() && region.isReady()) {
      deregister(region);
    }
  }

  /** Files can be much larger than what is sent of them. */
  private LocalRegion ofFile(SharedMemory memory, int offset, int length) {
    LocalRegion made = new LocalRegion(memory, offset, null);
    registerLater(made, () -> IbverbsRange.of(domain, memory, offset, length, access(memory)));
    return made;
  }

  private LocalRegion register(SharedMemory memory, boolean atOnce) {
    LocalRegion[] made = new LocalRegion[1];
    made[0] = new LocalRegion(memory, 0, () -> unwanted(made[0]));
    if (!memory.hold(made[0].wanted)) {
      return null;
    }
    memory.use();
    regions.put(memory, made[0]);
    Callable<IbverbsRange> work =
        () -> IbverbsRange.of(domain, memory, 0, memory.length(), access(memory));
    if (atOnce) {
      registerNow(made[0], work);
    } else {
      registerLater(made[0], work);
    }
    return made[0];
  }

  private static int access(SharedMemory memory) {
    return memory.readOnly() ? 0 : Numbers.ACCESS_LOCAL_WRITE;
  }

  private void registerNow(LocalRegion made, Callable<IbverbsRange> work) {
    try {
      made.range = work.call();
    } catch (Throwable e) {
      // Once more in a turn of its own, which tells why.
      registerLater(made, work);
    }
  }

  private void registerLater(LocalRegion made, Callable<IbverbsRange> work) {
    jobs.run(work, done -> {
      if (done.succeeded()) {
        made.range = done.result();
        if (made.isOver()) {
          deregister(made);
        } else {
          ready.run();
        }
      } else {
        forget(made);
        failed.accept((VerbsException) done.cause());
      }
    });
  }

  /** From any thread. */
  private void unwanted(LocalRegion region) {
    try {
      loop.execute(() -> {
        region.unwanted = true;
        if (region.isOver() && region.isReady()) {
          deregister(region);
        }
      });
    } catch (RejectedExecutionException e) {
      // The loop has ended before its queue pair: nobody posts any more.
      region.memory.unuse();
    }
  }

  private void deregister(LocalRegion region) {
    if (region.wanted == null) {
      jobs.run(() -> domain.deregister(region.range.region()), done -> { });
    } else if (regions.remove(region.memory, region)) {
      jobs.run(() -> domain.deregister(region.range.region()), done -> region.memory.unuse());
    }
  }

  private void forget(LocalRegion region) {
    if (regions.remove(region.memory, region)) {
      region.memory.letGo(region.wanted);
      region.memory.unuse();
    }
  }

  /** The domain is closed, and with it all registrations have ended. */
  public void end() {
    List.copyOf(regions.values()).forEach(this::forget);
  }
}
