// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The handles that one client has got for its tokens, on all its connections. A handle is good for nobody else. On the
 * server's loop.
 */
public final class TokenHandles {

  /** The flavor of a handle as a credential: a number of this library's own. */
  public static final int FLAVOR = 0x2006F005;
  /** How long a handle is. */
  public static final int LENGTH = 16;
  /** Of one client, whose calls may have tokens of many users; beyond it those are forgotten that are used least. */
  private static final int MOST = 512;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record Entry(RpcUser user, long end) {}

  private final Map<OpaqueAuth, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /** A handle for a user, which is good from now on. */
  public byte[] add(RpcUser user, long now) {
    byte[] handle = new byte[LENGTH];
    RANDOM.nextBytes(handle);
    if (entries.size() == MOST) {
      entries.remove(entries.keySet().iterator().next());
    }
    entries.put(new OpaqueAuth(FLAVOR, handle),
        new Entry(user, user.validFor().map(time -> now + nanos(time)).orElse(Long.MAX_VALUE)));
    return handle;
  }

  private static long nanos(Duration time) {
    return time.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365).toNanos() : time.toNanos();
  }

  /** Whose a credential is; null if it is nobody's, or not any more. */
  RpcUser user(OpaqueAuth credential, long now) {
    Entry entry = entries.get(credential);
    if (entry != null && entry.end != Long.MAX_VALUE && entry.end - now <= 0) {
      entries.remove(credential);
      return null;
    }
    return entry == null ? null : entry.user;
  }
}
