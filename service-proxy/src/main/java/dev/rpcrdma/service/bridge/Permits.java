// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.PeerShares;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What may cross: what the options permit, and the addresses of objects that services have given to callers. The number
 * of objects is bounded, and no object goes for another one. Safe for all threads.
 */
final class Permits {

  private static final class Used {

    private final String peer;
    /** Time of the last use, in nanoTime. */
    private long at;

    Used(String peer, long at) {
      this.peer = peer;
      this.at = at;
    }
  }

  private final Map<String, BridgePermit> permits = new HashMap<>();
  private final long idleNanos;
  private final PeerShares shares = new PeerShares(ObjectAddress.MOST);
  /** Objects by their addresses, in the order of their last uses. Guarded by this. */
  private final Map<String, Used> objects = new LinkedHashMap<>(16, 0.75f, true);

  Permits(Collection<BridgePermit> all, Duration idle) {
    all.forEach(permit -> permits.put(permit.address(), permit));
    this.idleNanos = idle.toNanos();
  }

  /** Whether a message with this action, or null, may cross. */
  boolean permits(String address, String action, long now) {
    BridgePermit permit = permits.get(address);
    return permit == null ? isObject(address, now) : permit.permits(action);
  }

  private synchronized boolean isObject(String address, long now) {
    expire(now);
    Used used = objects.get(address);
    if (used == null) {
      return false;
    }
    used.at = now;
    return true;
  }

  /**
   * Adds an object.
   *
   * @param peer the host whose call names the object
   * @throws ReplyException if the peer has too many objects
   */
  synchronized void add(String address, String peer, long now) {
    expire(now);
    Used used = objects.get(address);
    if (used != null) {
      used.at = now;
    } else if (shares.add(peer)) {
      objects.put(address, new Used(peer, now));
    } else {
      throw BusFailures.tooManyObjects(shares.number(peer));
    }
  }

  /** Returns the number of objects, also of those whose time is over. */
  synchronized int known() {
    return objects.size();
  }

  /** Removes the objects whose time is over. */
  synchronized void expire(long now) {
    Iterator<Used> oldest = objects.values().iterator();
    while (oldest.hasNext()) {
      Used used = oldest.next();
      if (now - used.at <= idleNanos) {
        break;
      }
      oldest.remove();
      shares.remove(used.peer);
    }
  }

  /** Removes an object that is gone. */
  synchronized void forget(String address) {
    Used used = objects.remove(address);
    if (used != null) {
      shares.remove(used.peer);
    }
  }
}
