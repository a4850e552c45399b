// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import dev.rpcrdma.ibverbs.ffi.Descriptors;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.base.Causes;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The completion channel of one event loop: all queues of the loop's connections raise their events here, and one
 * descriptor is watched for all. On the loop, except where said.
 */
public final class CompletionChannel {

  private static final int DESCRIPTOR_BYTES = 12;
  /** What is done for an event can raise the next, before the loop comes to anything else. */
  private static final int EVENTS_PER_TURN = 64;

  private final RdmaCore core;
  private final EventLoop loop;
  private final long handle;
  private final Map<Long, Owner> owners = new HashMap<>();
  private final long[] queue = {0};
  private final long[] user = {0};
  private DescriptorWatch watch;
  private boolean closed;
  /** Null unless it tells of nothing any more; set on the loop, read anywhere. */
  private volatile NativeException failure;

  /** Who hears of a queue's events, or that there will be none. */
  private record Owner(Runnable event, Consumer<NativeException> failed) {}

  private CompletionChannel(RdmaCore core, EventLoop loop, long handle) {
    this.core = core;
    this.loop = loop;
    this.handle = handle;
  }

  /**
   * Makes one, and watches it. From any thread; takes a system call or two.
   *
   * @param core the libraries
   * @param context of the device
   * @param loop whose connections it is for
   * @return the channel, or a {@link VerbsException}
   */
  public static Future<CompletionChannel> open(RdmaCore core, long context, EventLoop loop) {
    long made = 0;
    try {
      made = core.made("ibv_create_comp_channel", core.verbs().ibvCreateCompChannel(context));
      CompletionChannel channel = new CompletionChannel(core, loop, made);
      int descriptor = NativeMemory.view(made, DESCRIPTOR_BYTES).getInt(Layouts.CompChannel.FD);
      Descriptors.neverWait(descriptor);
      return DescriptorWatch.begin(loop, descriptor, channel::ready).transform((watch, failure) -> {
        if (failure != null) {
          channel.destroy();
          return Future.failedFuture(refused(failure));
        }
        channel.watch = watch;
        return Future.succeededFuture(channel);
      });
    } catch (NativeException e) {
      if (made != 0) {
        core.verbs().ibvDestroyCompChannel(made);
      }
      return Future.failedFuture(refused(e));
    }
  }

  private static VerbsException refused(Throwable cause) {
    return new VerbsException(Kind.RESOURCES, "No completion channel for another event loop: " + Causes.message(cause),
        cause);
  }

  /** What queues are made with: a {@code struct ibv_comp_channel}. */
  long handle() {
    return handle;
  }

  /** Whether each event is told by another loop. From any thread. */
  public boolean hops() {
    return watch.hops();
  }

  /** Whether it tells of nothing any more. From any thread. */
  public boolean isBroken() {
    return failure != null;
  }

  /**
   * Has the events of a queue told.
   *
   * @param name that the queue was made with
   * @param event called for each, which needs the queue armed anew
   * @param failed called when no event will ever be told
   */
  void add(long name, Runnable event, Consumer<NativeException> failed) {
    owners.put(name, new Owner(event, failed));
    if (failure != null) {
      failed.accept(failure);
    }
  }

  void remove(long name) {
    owners.remove(name);
  }

  private void ready() {
    int events = 0;
    // What has hopped may come late.
    while (!closed && failure == null) {
      if (events++ == EVENTS_PER_TURN) {
        loop.execute(this::ready);
        return;
      }
      if (core.verbs().ibvGetCqEvent(handle, queue, user) != 0) {
        int errno = core.errno();
        if (errno == Errno.EINTR) {
          continue;
        }
        if (errno != Errno.EAGAIN) {
          fail(new NativeException("ibv_get_cq_event", errno));
        }
        return;
      }
      Owner owner = owners.get(user[0]);
      // At once: a queue that another thread destroys waits for it, and its name is nobody's then.
      core.verbs().ibvAckCqEvents(queue[0], 1);
      if (owner != null) {
        owner.event().run();
      }
    }
  }

  /** Its descriptor stays readable, for nothing: as when the device was removed. */
  private void fail(NativeException why) {
    failure = why;
    watch.end(() -> { });
    List.copyOf(owners.values()).forEach(owner -> owner.failed().accept(why));
  }

  /** Watches no more, and is gone. All its queues are. From any thread. */
  public void close() {
    watch.end(() -> {
      try {
        loop.execute(this::destroy);
      } catch (RejectedExecutionException e) {
        // The loop has ended, and looks at nothing any more.
        destroy();
      }
    });
  }

  private void destroy() {
    closed = true;
    core.verbs().ibvDestroyCompChannel(handle);
  }
}
