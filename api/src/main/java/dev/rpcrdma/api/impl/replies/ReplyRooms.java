// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import dev.rpcrdma.api.impl.metrics.ServiceMetrics;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The reply rooms of a device, by their bound: who sets another bound has another room. Thread-safe. */
public final class ReplyRooms {

  private static final Logger LOG = LoggerFactory.getLogger(ReplyRooms.class);

  /** Of the heap, since results are on it, and of direct memory, since large ones are there before they are sent. */
  private static final int SHARE = 4;

  private final Vertx vertx;
  private final String name;
  private final EventLoop loop;
  /** Guarded by itself. */
  private final Map<Long, ReplyRoom> rooms = new HashMap<>();

  /**
   * Creates none yet.
   *
   * @param vertx one of its event loops looks whether calls wait
   * @param name what metrics call them
   */
  public ReplyRooms(Vertx vertx, String name) {
    this.vertx = vertx;
    this.name = name;
    // Not a timer of whoever happens to be first, whose context may end.
    this.loop = Contexts.eventLoop(Contexts.newEventLoop(this.vertx));
  }

  /**
   * The room for so many bytes.
   *
   * @param maxBytes 0 for a quarter of the heap or of direct memory, whichever is less
   */
  public ReplyRoom of(long maxBytes) {
    synchronized (rooms) {
      return rooms.computeIfAbsent(maxBytes, this::room);
    }
  }

  private ReplyRoom room(long maxBytes) {
    LogRateLimit pace = new LogRateLimit(System.nanoTime());
    return new ReplyRoom(maxBytes == 0 ? usual() : maxBytes,
        System::nanoTime, look -> loop.schedule(look, ReplyRoom.PATIENCE_MILLIS, TimeUnit.MILLISECONDS),
        room -> tell(room, pace), ServiceMetrics.of(VertxParts.metrics(vertx), "rpcrdma-replies", name, -1));
  }

  private static long usual() {
    return Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.estimateMaxDirectMemory()) / SHARE;
  }

  private List<ReplyRoom> all() {
    synchronized (rooms) {
      return List.copyOf(rooms.values());
    }
  }

  /** Bytes of all of them that are taken, for leak checks. */
  public long usedBytes() {
    return all().stream().mapToLong(ReplyRoom::usedBytes).sum();
  }

  /** How many calls wait for room. */
  public int waiting() {
    return all().stream().mapToInt(ReplyRoom::waiting).sum();
  }

  /** Ends what metrics hear of them. */
  public void close() {
    all().forEach(ReplyRoom::close);
  }

  /** On the loop. */
  private static void tell(ReplyRoom room, LogRateLimit pace) {
    if (pace.due(System.nanoTime())) {
      LOG.warn(room.waiting() + " calls wait before their services get them: replies of " + room.usedBytes()
          + " bytes are made and not taken yet, or about to be made (maxPendingReplyBytes is " + room.maxBytes()
          + "). Said at most once in " + LogRateLimit.BETWEEN.toSeconds() + " seconds");
    }
  }
}
