// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.gss;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Contexts by their servers' names of them. Servers choose these without knowing of each other, so that the host counts
 * too; but one host may have several addresses, one for TCP and another one for RDMA.
 */
final class ContextTable {

  /** Contexts that are known at a time; of others their INIT is forgotten. */
  private static final int MOST_CONTEXTS = 4096;

  /** Keys are text, of which many with equal hashes cost no more time than others. */
  private final Map<String, KnownContext> byServer = new Recent();
  /** Contexts by their handles alone: the newest of each, of those with keys if there are any. */
  private final Map<String, KnownContext> latest = new Recent();

  private boolean forgotten;

  /** The contexts that were named last. */
  private final class Recent extends LinkedHashMap<String, KnownContext> {

    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, KnownContext> eldest) {
      forgotten |= size() > MOST_CONTEXTS;
      return size() > MOST_CONTEXTS;
    }
  }

  /** A context stands; one of the same name does no more. */
  void put(InetAddress server, byte[] handle, KnownContext context) {
    String name = HexFormat.of().formatHex(handle);
    byServer.put(server.getHostAddress() + " " + name, context);
    // A call with a wrong proof makes a context without keys: with that, none of the other calls could be judged.
    latest.merge(name, context, (before, now) -> hasKeys(before) && !hasKeys(now) ? before : now);
  }

  private static boolean hasKeys(KnownContext context) {
    return context instanceof FollowedContext;
  }

  /**
   * Returns the context of a call; null if there is none. One with keys that was made at another address takes the
   * place of one without.
   *
   * @param isOf whether a context that was made at another address is the call's; it belongs to this address too then
   */
  KnownContext find(InetAddress server, byte[] handle, Predicate<KnownContext> isOf) {
    String name = HexFormat.of().formatHex(handle);
    KnownContext elsewhere = latest.get(name);
    KnownContext here = byServer.get(server.getHostAddress() + " " + name);
    boolean candidate = here == null ? elsewhere != null : !hasKeys(here) && hasKeys(elsewhere);
    if (!candidate || !isOf.test(elsewhere)) {
      return here;
    }
    byServer.put(server.getHostAddress() + " " + name, elsewhere);
    return elsewhere;
  }

  /** Tells whether contexts were forgotten, so that a context which is not here may have been. */
  boolean hasForgotten() {
    return forgotten;
  }
}
