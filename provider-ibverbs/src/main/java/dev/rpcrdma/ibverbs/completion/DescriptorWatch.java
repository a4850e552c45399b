// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;

/**
 * Watches a descriptor that is not Netty's for an event loop. On a loop of Netty's epoll transport, as with {@code
 * VertxOptions.setPreferNativeTransport(true)}, the loop itself waits for it. On any other, one loop of this process
 * does, and each event hops. The descriptor stays its owner's.
 */
public final class DescriptorWatch {

  private final IoEventLoop waiting;
  private final IoRegistration registration;
  private final boolean hops;

  private DescriptorWatch(IoEventLoop waiting, IoRegistration registration, boolean hops) {
    this.waiting = waiting;
    this.registration = registration;
    this.hops = hops;
  }

  /**
   * Begins to watch for somebody who has no loop: on the one of this process that does so for others.
   *
   * @param descriptor open until {@link #end} has completed
   * @param ready called on that loop, which must not be kept waiting
   * @return as of {@link #begin(EventLoop, int, Runnable)}
   */
  public static Future<DescriptorWatch> begin(int descriptor, Runnable ready) {
    try {
      return begin(PollingLoop.get(), descriptor, ready);
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Begins to watch.
   *
   * @param loop on which {@code ready} is called
   * @param descriptor open until {@link #end} has completed
   * @param ready called when there may be something to read, and reads until there is nothing: where it hops, what is
   *     left is not told again
   * @return completes when it is watched; fails if this machine has no epoll, or the loop has ended
   */
  public static Future<DescriptorWatch> begin(EventLoop loop, int descriptor, Runnable ready) {
    Promise<DescriptorWatch> begun = Promise.promise();
    try {
      boolean own = loop instanceof IoEventLoop io && io.isCompatible(EpollIoHandle.class);
      IoEventLoop waiting = own ? (IoEventLoop) loop : PollingLoop.get();
      Runnable tell = own ? ready : new Hop(loop, ready);
      waiting.register(new Watched(new FileDescriptor(descriptor), tell)).addListener(done -> {
        if (done.isSuccess()) {
          IoRegistration registration = (IoRegistration) done.getNow();
          // Else the loop that waits would find it readable, over and over, until the other one has read.
          registration.submit(own ? EpollIoOps.EPOLLIN : EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLET));
          begun.complete(new DescriptorWatch(waiting, registration, !own));
        } else {
          begun.fail(done.cause());
        }
      });
    } catch (VerbsException | RejectedExecutionException e) {
      begun.fail(e);
    }
    return begun.future();
  }

  /** Whether each event is told by another loop, which takes some microseconds more. */
  public boolean hops() {
    return hops;
  }

  /**
   * Watches no more. From any thread. What is on its way to a loop that hops may still be told.
   *
   * @param ended called when nobody waits for the descriptor any more, which may be closed then
   */
  public void end(Runnable ended) {
    try {
      waiting.execute(() -> {
        registration.cancel();
        ended.run();
      });
    } catch (RejectedExecutionException e) {
      // The loop has ended, and waits for nothing.
      ended.run();
    }
  }

  /** Tells a loop once for as many events as there are until it looks. */
  private static final class Hop implements Runnable {

    private final EventLoop loop;
    private final Runnable ready;
    private volatile boolean under;

    Hop(EventLoop loop, Runnable ready) {
      this.loop = loop;
      this.ready = ready;
    }

    @Override
    public void run() {
      if (under) {
        return;
      }
      under = true;
      try {
        loop.execute(() -> {
          // Before it looks: what comes from now on is told again.
          under = false;
          ready.run();
        });
      } catch (RejectedExecutionException e) {
        // The loop has ended, and with it whoever would hear.
        under = false;
      }
    }
  }

  private record Watched(FileDescriptor fd, Runnable ready) implements EpollIoHandle {

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      ready.run();
    }

    @Override
    public void close() {
      // The descriptor is its owner's.
    }
  }
}
