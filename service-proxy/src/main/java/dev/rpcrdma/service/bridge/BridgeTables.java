// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.concurrent.TimeUnit;

/**
 * Objects and replies of all bridges of one Vert.x instance that have the same options. The connections of one peer may
 * come to several instances of a verticle, each with a bridge of its own. Bounds hold for all these bridges together.
 * Entries whose time is over are removed within {@value #CHECK_MILLIS} ms. Safe for all threads.
 */
final class BridgeTables implements Shareable {

  /** Name of the local map of a Vert.x instance that has the tables of bridges by their options. */
  static final String TABLES = "dev.rpcrdma.service.bridges";
  static final long CHECK_MILLIS = 10_000;

  private final Vertx vertx;
  private final String key;
  private final long checkMillis;
  /** Context of the timer, which belongs to no verticle. */
  private final Context own;
  private final Permits permits;
  private final Conversations conversations = new Conversations();
  /** Numbers of objects of the peers that the bridges forward to. */
  private final PeerShares consumers = new PeerShares(ObjectAddress.MOST);
  /** Number of bridges that are not closed. Changes where the local map computes its entry. */
  private int bridges;
  /** Whether a timer runs. Guarded by this. */
  private boolean watching;

  BridgeTables(Vertx vertx, BridgeOptions options, long checkMillis) {
    this.vertx = vertx;
    this.key = key(options);
    this.checkMillis = checkMillis;
    this.own = Contexts.newEventLoop(vertx);
    this.permits = new Permits(options.getDelivered(), options.getProxyTimeout());
  }

  private static String key(BridgeOptions options) {
    return options.toJson().encode();
  }

  private static LocalMap<String, BridgeTables> tables(Vertx vertx) {
    return vertx.sharedData().getLocalMap(TABLES);
  }

  /** Returns the tables of a bridge that has been created, for the other bridges with these options as well. */
  static BridgeTables open(Vertx vertx, BridgeOptions options) {
    return tables(vertx).compute(key(options), (same, known) -> {
      BridgeTables tables = known == null ? new BridgeTables(vertx, options, CHECK_MILLIS) : known;
      tables.bridges++;
      return tables;
    });
  }

  /** Called once by each bridge that is closed. After the last one, new bridges have other tables. */
  void close() {
    tables(vertx).computeIfPresent(key, (same, known) -> known == this && --bridges == 0 ? null : known);
  }

  /** Returns whether Vert.x has ended. */
  boolean isOver() {
    return Contexts.hasEnded(own);
  }

  Permits permits() {
    return permits;
  }

  Conversations conversations() {
    return conversations;
  }

  PeerShares consumers() {
    return consumers;
  }

  /** Sets the timer that removes entries whose time is over, unless it runs. Called after an entry is added. */
  synchronized void watch() {
    if (!watching) {
      watching = true;
      Contexts.setTimer(own, checkMillis, timer -> expire(System.nanoTime()));
    }
  }

  private void expire(long now) {
    synchronized (this) {
      // From now on, the next entry sets the next timer.
      watching = false;
    }
    conversations.expire(now);
    permits.expire(now);
    if (conversations.known() + permits.known() > 0) {
      watch();
    }
  }
}
