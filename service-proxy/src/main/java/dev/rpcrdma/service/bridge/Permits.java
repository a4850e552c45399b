// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What may cross: what the options permit, and the addresses of objects that services have given to callers. Of these a
 * bounded number is kept, those that were used last. Safe for all threads.
 */
final class Permits {

  private static final int MOST_OBJECTS = 10_000;

  private final Map<String, BridgePermit> permits = new HashMap<>();
  private final long idleNanos;
  /** When each was used last, by address; oldest first. Guarded by this. */
  private final Map<String, Long> objects = new LinkedHashMap<>(16, 0.75f, true);

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
    Long used = objects.get(address);
    if (used == null || now - used > idleNanos) {
      objects.remove(address);
      return false;
    }
    objects.put(address, now);
    return true;
  }

  /** A caller was given the address of an object. */
  synchronized void add(String address, long now) {
    Iterator<Long> oldest = objects.values().iterator();
    while (oldest.hasNext() && (now - oldest.next() > idleNanos || objects.size() >= MOST_OBJECTS)) {
      oldest.remove();
    }
    objects.put(address, now);
  }

  /** There is no such object any more. */
  synchronized void forget(String address) {
    objects.remove(address);
  }
}
