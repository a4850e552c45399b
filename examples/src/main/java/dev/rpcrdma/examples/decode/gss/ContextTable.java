// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.gss;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Contexts by their servers' names of them. Servers choose these without knowing of each other, so that the host counts
 * too; but one host may have several addresses, one for TCP and another one for RDMA.
 */
final class ContextTable {

  /** Contexts that are known at a time; of others their INIT is forgotten. */
  private static final int MOST_CONTEXTS = 4096;

  /** Keys are text, of which many with equal hashes cost no more time than others. */
  private final Map<String, KnownContext> byServer = new Recent();
  private final Map<String, KnownContext> latest = new Recent();

  /** The contexts that were named last. */
  private static final class Recent extends LinkedHashMap<String, KnownContext> {

    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, KnownContext> eldest) {
      return size() > MOST_CONTEXTS;
    }
  }

  /** A context stands; one of the same name does no more. */
  void put(InetAddress server, byte[] handle, KnownContext context) {
    String name = HexFormat.of().formatHex(handle);
    byServer.put(server.getHostAddress() + " " + name, context);
    latest.put(name, context);
  }

  /** The context of a call; null if there is none. */
  KnownContext find(InetAddress server, byte[] handle) {
    String name = HexFormat.of().formatHex(handle);
    KnownContext elsewhere = latest.get(name);
    KnownContext here = byServer.get(server.getHostAddress() + " " + name);
    return here != null ? here : elsewhere;
  }
}
