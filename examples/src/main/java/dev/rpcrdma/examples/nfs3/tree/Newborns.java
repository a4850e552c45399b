// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Prevents that an object and the next one share their {@link Inode}. The clock of a file system ticks every 1 to 10 ms
 * (Linux before 6.13). Within one tick a file can be made and removed, and its number and time go to another file. An
 * open object keeps its number. So the server holds a young object open until the clock has ticked. An object that the
 * server cannot open gets no handle before that. Thread-safe.
 */
final class Newborns {

  /** Two ticks of the slowest clock of Linux (HZ = 100). */
  static final Duration YOUTH = Duration.ofMillis(20);

  /** Most objects that are held open at a time. */
  private static final int MAX_HELD = 512;
  /** Attempts of one operation. Between two of them the object grows up, or another one takes its place. */
  private static final int ATTEMPTS = 5;

  /** Thrown before an operation changes anything. The operation begins anew when the object has grown up. */
  static final class TooYoung extends RuntimeException {

    private static final long serialVersionUID = 1;
    private final Instant born;

    TooYoung(Instant born) {
      super(null, null, false, false);
      this.born = born;
    }
  }

  /** Operation that may meet an object which is too young. */
  interface Attempt<T> {

    T run() throws NfsException;
  }

  private final InstantSource clock;
  /** Executor that runs a task after one {@link #YOUTH}. */
  private final Executor later;
  private final Semaphore room = new Semaphore(MAX_HELD);
  /** Objects that were opened since the last sweep; guarded by this. */
  private List<Closeable> held = new ArrayList<>();
  /** Objects that the next sweep closes; guarded by this. */
  private List<Closeable> grown = List.of();
  /** True while a sweep is due; guarded by this. One task for many objects costs less than one for each. */
  private boolean sweeping;

  Newborns() {
    this(InstantSource.system(), CompletableFuture.delayedExecutor(YOUTH.toMillis(), TimeUnit.MILLISECONDS));
  }

  Newborns(InstantSource clock, Executor later) {
    this.clock = clock;
    this.later = later;
  }

  /**
   * Holds an object open if it is too young for a handle.
   *
   * @return the state of the object that is open, or is old enough
   * @throws TooYoung if the object cannot be opened, or another one has taken its place
   */
  Stat raise(Path path, Stat stat) throws IOException {
    Instant born = stat.inode().born();
    Instant now = clock.instant();
    // A birth in the future is not of this tick: the clock was set, or is another machine's.
    if (born.isAfter(now) || !born.plus(YOUTH).isAfter(now)) {
      return stat;
    }
    Closeable object = hold(path, stat);
    try {
      // Another object may have been opened than the one that was looked at.
      Stat opened = Stat.of(path);
      if (!opened.inode().equals(stat.inode())) {
        throw new TooYoung(opened.inode().born());
      }
      return opened;
    } finally {
      keep(object);
    }
  }

  private synchronized void keep(Closeable object) {
    held.add(object);
    if (!sweeping) {
      sweeping = true;
      later.execute(this::sweep);
    }
  }

  /** Closes the objects that have been open for at least one {@link #YOUTH}. They have been so for less than two. */
  private void sweep() {
    List<Closeable> over;
    synchronized (this) {
      over = grown;
      grown = held;
      held = new ArrayList<>();
      sweeping = !grown.isEmpty();
      if (sweeping) {
        later.execute(this::sweep);
      }
    }
    over.forEach(this::release);
  }

  private Closeable hold(Path path, Stat stat) {
    boolean acquired = false;
    try {
      acquired = room.tryAcquire(2 * YOUTH.toMillis(), TimeUnit.MILLISECONDS);
      if (acquired) {
        Closeable object = open(path, stat);
        acquired = false;
        return object;
      }
    } catch (IOException e) {
      // Most often the mode denies the object to the server. Another reason fails the next attempt, too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (acquired) {
        room.release();
      }
    }
    throw new TooYoung(stat.inode().born());
  }

  private static Closeable open(Path path, Stat stat) throws IOException {
    return switch (stat.attributes().type()) {
      case REGULAR -> FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      case DIRECTORY -> Files.newDirectoryStream(path);
      // Java follows links; opening a pipe waits for a peer, and opening a device may do anything.
      default -> throw new IOException("not to be opened");
    };
  }

  private void release(Closeable object) {
    try {
      object.close();
    } catch (IOException e) {
      // The object was opened for reading alone: no data is lost.
    } finally {
      room.release();
    }
  }

  /**
   * Runs an operation. Runs it anew when an object that was too young has grown up.
   *
   * @throws NfsException of the operation; with JUKEBOX if it meets one young object after the other
   */
  <T> T patiently(Attempt<T> operation) throws NfsException {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return operation.run();
      } catch (TooYoung e) {
        await(e.born);
      }
    }
    // RFC 1813 §2.6: "The client should wait and then try the request with a new RPC transaction ID".
    throw new NfsException(NfsStatus.JUKEBOX, "another object takes its place again and again");
  }

  private void await(Instant born) throws NfsException {
    long left = Duration.between(clock.instant(), born.plus(YOUTH)).toMillis() + 1;
    try {
      Thread.sleep(Math.max(0, Math.min(left, YOUTH.toMillis())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NfsException(NfsStatus.JUKEBOX, "interrupted");
    }
  }
}
