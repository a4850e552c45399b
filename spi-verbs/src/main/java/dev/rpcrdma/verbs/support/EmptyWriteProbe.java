// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Wakes a peer that has overlooked the first message of a connection, by bytes that have no effect. Linux' siw accepts a
 * connection in two steps: it sends its MPA Reply, and then begins to listen to the socket. What comes in between stays
 * there until more comes, and on a busy machine that is not rare. One nudge always goes out, since a peer that speaks
 * may have overlooked something all the same; more only while nothing is heard, each after ten times as long as the one
 * before. On the connection's loop.
 */
public final class EmptyWriteProbe {

  private static final int MOST = 3;
  private static final int FACTOR = 10;

  private final EventLoop loop;
  private final Runnable nudge;
  private long pauseMillis;
  private int given;
  private boolean heard;
  private ScheduledFuture<?> timer;

  /**
   * Gives none yet.
   *
   * @param loop of the connection
   * @param firstMillis how long after {@link #begin} the first is given; 0 for none at all
   * @param nudge sends something without effect
   */
  public EmptyWriteProbe(EventLoop loop, int firstMillis, Runnable nudge) {
    this.loop = loop;
    this.nudge = nudge;
    this.pauseMillis = firstMillis;
  }

  /** This side of the connection is up. */
  public void begin() {
    if (pauseMillis > 0) {
      timer = loop.schedule(this::give, pauseMillis, TimeUnit.MILLISECONDS);
    }
  }

  private void give() {
    timer = null;
    if (heard && given > 0) {
      return;
    }
    nudge.run();
    pauseMillis *= FACTOR;
    if (++given < MOST && !heard) {
      begin();
    }
  }

  /** Something has come from the peer. */
  public void heard() {
    heard = true;
  }

  /** The connection is over. */
  public void end() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
