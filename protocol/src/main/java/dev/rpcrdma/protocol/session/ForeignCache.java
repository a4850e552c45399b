// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.responder.Fingerprint;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.time.Deadlines;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The duplicate request cache of a foreign client, or of all foreign clients of a host: of callers that show
 * no session. A call is known, from the moment that it is whole, by who makes it, its XID, and length and
 * checksum of its message without credential and verifier.
 *
 * <p><b>The promise is a weaker one.</b> A call that comes again is not executed again if its first
 * appearance was whole when the second one is, if not too many others have been answered since, and if it
 * does not come too late. A call that is being pulled is not known yet; nobody fences its old connection;
 * and two clients of one host that make the same call for the same user under the same XID are taken for
 * one. Linux's server does the same.
 *
 * <p><b>Bounds.</b> A number of calls, of which the oldest answered one is forgotten first; their replies'
 * bytes; and a time, counted from when a call was whole. When all of that number are being executed,
 * others are executed without being remembered: one caller's stuck services cost no other's calls.
 */
public final class ForeignCache extends DuplicateRequestCache {

  private record Key(int xid, Object principal, long length, int checksum) {}

  private final int most;
  private final long memoryNanos;
  private final Map<Key, ForeignEntry> entries = new HashMap<>();
  /** Those that are answered, in the order in which they were. */
  private final Set<ForeignEntry> answered = new LinkedHashSet<>();

  /**
   * Creates an empty cache.
   *
   * @param most how many calls to remember, at least 1
   * @param memoryNanos how long a call is remembered
   * @param deadlines ends executions whose connection is lost
   * @param maxBytes how much of replies to keep
   */
  public ForeignCache(int most, long memoryNanos, Deadlines deadlines, long maxBytes) {
    super(deadlines, maxBytes, 0);
    if (most < 1) {
      throw new IllegalArgumentException("A cache has room for one call at least");
    }
    this.most = most;
    this.memoryNanos = memoryNanos;
  }

  private final class ForeignEntry extends Entry {

    private final Key key;
    private final long since;

    ForeignEntry(Key key, long since) {
      super(key.xid);
      this.key = key;
      this.since = since;
    }

    boolean outdated(long now) {
      return !executing() && now - since > memoryNanos;
    }

    @Override
    void remove() {
      entries.remove(key, this);
      answered.remove(this);
    }

    @Override
    void answered() {
      if (!forgotten()) {
        answered.add(this);
      }
    }
  }

  @Override
  public boolean arrived(IncomingCall call, long now) {
    return true;
  }

  @Override
  public boolean admit(IncomingCall call, boolean repeatable, long now) {
    Key key = key(call);
    ForeignEntry known = entries.get(key);
    if (known != null && !known.outdated(now)) {
      known.again(call);
      return false;
    }
    if (known != null) {
      known.forget();
    }
    if (entries.size() >= most) {
      if (answered.isEmpty()) {
        return true;
      }
      answered.iterator().next().forget();
    }
    ForeignEntry entry = new ForeignEntry(key, now);
    entry.executing(repeatable);
    entries.put(key, entry);
    entry.follow(call);
    return true;
  }

  private static Key key(IncomingCall call) {
    Fingerprint fingerprint = call.fingerprint();
    return new Key(call.xid(), call.principal(), fingerprint.length(),
        fingerprint.checksum());
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public void clear() {
    super.clear();
    List.copyOf(entries.values()).forEach(Entry::forget);
  }
}
