// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Contexts by their servers' names of them. Servers choose these without knowing of each other, so that the host counts
 * too; but one host may have several addresses, one for TCP and another one for RDMA.
 */
final class KnownContexts {

  /** Contexts that are known at a time; of others their INIT is forgotten. */
  private static final int MOST_CONTEXTS = 4096;

  /** Contexts of one handle at other addresses that a call is tested with, the newest ones. */
  private static final int MOST_TESTED = 64;

  /** Contexts by {@link #key}. Keys are text, of which many with equal hashes cost no more time than others. */
  private final Map<String, KnownContext> byServer = new Recent();
  /** Keys of {@link #byServer} by their handles, the newest last. */
  private final Map<String, Set<String>> byHandle = new HashMap<>();

  private boolean forgotten;

  /** The contexts that were named last. */
  private final class Recent extends LinkedHashMap<String, KnownContext> {

    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, KnownContext> eldest) {
      boolean full = size() > MOST_CONTEXTS;
      if (full) {
        forgotten = true;
        String handle = handle(eldest.getKey());
        Set<String> keys = byHandle.get(handle);
        keys.remove(eldest.getKey());
        if (keys.isEmpty()) {
          byHandle.remove(handle);
        }
      }
      return full;
    }
  }

  private static String key(InetAddress server, byte[] handle) {
    return server.getHostAddress() + " " + HexFormat.of().formatHex(handle);
  }

  private static String handle(String key) {
    return key.substring(key.indexOf(' ') + 1);
  }

  /** A context stands; one of the same name does no more. */
  void put(InetAddress server, byte[] handle, KnownContext context) {
    put(key(server, handle), context);
  }

  private void put(String key, KnownContext context) {
    Set<String> keys = byHandle.computeIfAbsent(handle(key), any -> new LinkedHashSet<>());
    keys.remove(key);
    keys.add(key);
    byServer.put(key, context);
  }

  /**
   * Returns the context of a call; null if there is none. One with keys that was made at another address takes the
   * place of one without, and of one that is older and not the call's, as the server may have started anew.
   *
   * @param isOf whether a context that was made at another address is the call's; it belongs to this address too then
   */
  KnownContext find(InetAddress server, byte[] handle, Predicate<KnownContext> isOf) {
    String key = key(server, handle);
    KnownContext here = byServer.get(key);
    if (here instanceof FollowedContext && (byHandle.get(handle(key)).size() == 1 || isOf.test(here))) {
      return here;
    }
    Optional<KnownContext> elsewhere = elsewhere(handle(key), here == null).filter(isOf).findFirst();
    elsewhere.ifPresent(context -> put(key, context));
    return elsewhere.orElse(here);
  }

  /** Returns contexts of a handle, the newest first: those with keys, or if there are none, the newest one. */
  private Stream<KnownContext> elsewhere(String handle, boolean withoutKeys) {
    List<KnownContext> all = new ArrayList<>();
    byHandle.getOrDefault(handle, Set.of()).forEach(key -> all.add(byServer.get(key)));
    Collections.reverse(all);
    List<KnownContext> withKeys = all.stream().filter(FollowedContext.class::isInstance).distinct().toList();
    return withKeys.isEmpty() && withoutKeys ? all.stream().limit(1) : withKeys.stream().limit(MOST_TESTED);
  }

  /** Returns how many handles there are contexts of. */
  int handles() {
    return byHandle.size();
  }

  /** Tells whether contexts were forgotten, so that a context which is not here may have been. */
  boolean hasForgotten() {
    return forgotten;
  }
}
