// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.cluster.ClusterServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Which servers there are, by what was read of the cluster's map. Pure: it is told the time, of any clock that only
 * goes forward, and clocks of different nodes are never compared.
 *
 * <p>A server is listed while its entry is there and its sequence goes up. It is not listed any more
 * <ul>
 *   <li>once its entry says that it is draining, for good: what was put before that and arrives after it is late;
 *   <li>once its entry has gone, and its time to live is over since its sequence went up. Maps may lose an entry before
 *       its time, or all of them: a cluster that goes over into another one has an empty map for a moment, and one that
 *       falls apart has what copies it has. Who lives puts it again;
 *   <li>once its entry has stayed as it is for twice its time to live, although the map was read all the while. Maps
 *       need not keep that time, such as after a merge of clusters.
 * </ul>
 * In the last two cases it comes back with an entry of a higher sequence, and is silent until then. While the map
 * cannot be read nothing changes, and nothing ages.
 */
final class ClusterPicture {

  /** How long what has gone is remembered that does not show itself any more. */
  static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * What one reading has changed, by instances in their order.
   *
   * @param came those that take calls from now on
   * @param left those that do not any more
   */
  record Change(List<String> came, List<String> left) {}

  /** A server that takes calls. */
  private static final class Listed {

    private ServerEntry entry;
    /** Since when it has this sequence, as far as the map was read all the while. */
    private long since;
    /** Its entry was not there the last time. */
    private boolean missing;

    private Listed(ServerEntry entry, long since) {
      this.entry = entry;
      this.since = since;
    }
  }

  /**
   * A server that takes none.
   *
   * @param sequence the last that was seen
   * @param silent the server, if it has not said that it leaves; else null
   * @param seen when it was last in the map
   */
  private record Gone(long sequence, ClusterServer silent, long seen) {}

  private final Map<String, Listed> listed = new TreeMap<>();
  private final Map<String, Gone> gone = new TreeMap<>();
  /** Those in the map that say so. */
  private final Map<String, ClusterServer> draining = new TreeMap<>();
  /** Whether the map could not be read since it was read last. */
  private boolean interrupted = true;
  private long readAt;

  /**
   * The map was read.
   *
   * @param entries all that can be understood, by instance
   * @param now of any clock that only goes forward
   */
  Change read(Map<String, ServerEntry> entries, long now) {
    List<String> came = new ArrayList<>();
    List<String> left = new ArrayList<>();
    listed.forEach((instance, server) -> {
      if (!server.missing && (interrupted || now - readAt > server.entry.ttlNanos())) {
        server.since = now;
      }
      server.missing = !entries.containsKey(instance);
    });
    draining.clear();
    for (String instance : new TreeMap<>(entries).keySet()) {
      ServerEntry entry = entries.get(instance);
      if (entry.draining()) {
        drains(entry, now, left);
      } else if (listed.containsKey(instance)) {
        goesOn(entry, now, left);
      } else {
        comes(entry, now, came);
      }
    }
    Map.copyOf(listed).forEach((instance, server) -> {
      if (server.missing && now - server.since > server.entry.ttlNanos()) {
        leaves(instance, now, left);
      }
    });
    gone.values().removeIf(each -> now - each.seen() > REMEMBERED_NANOS);
    interrupted = false;
    readAt = now;
    left.sort(null);
    return new Change(came, left);
  }

  private void drains(ServerEntry entry, long now, List<String> left) {
    draining.put(entry.instance(), entry.server());
    if (listed.containsKey(entry.instance())) {
      leaves(entry.instance(), now, left);
    }
    gone.put(entry.instance(), new Gone(entry.sequence(), null, now));
  }

  private void goesOn(ServerEntry entry, long now, List<String> left) {
    Listed server = listed.get(entry.instance());
    if (entry.sequence() > server.entry.sequence()) {
      server.entry = entry;
      server.since = now;
    } else if (now - server.since > 2 * server.entry.ttlNanos()) {
      leaves(entry.instance(), now, left);
    }
  }

  private void comes(ServerEntry entry, long now, List<String> came) {
    Gone before = gone.get(entry.instance());
    if (before != null && (before.silent() == null || entry.sequence() <= before.sequence())) {
      gone.put(entry.instance(), new Gone(before.sequence(), before.silent(), now));
      return;
    }
    gone.remove(entry.instance());
    listed.put(entry.instance(), new Listed(entry, now));
    came.add(entry.instance());
  }

  private void leaves(String instance, long now, List<String> left) {
    Listed server = listed.remove(instance);
    gone.put(instance, new Gone(server.entry.sequence(), server.entry.server(), now));
    left.add(instance);
  }

  /** The map could not be read. */
  void failed() {
    interrupted = true;
  }

  /** What is known, as it was read last. */
  Listing listing() {
    Map<String, ClusterServer> all = new TreeMap<>(draining);
    listed.forEach((instance, server) -> all.put(instance, server.entry.server()));
    return new Listing(List.copyOf(all.values()),
        gone.values().stream().map(Gone::silent).filter(Objects::nonNull).toList(), readAt);
  }
}
