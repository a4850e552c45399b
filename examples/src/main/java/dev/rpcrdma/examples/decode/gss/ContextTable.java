// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.gss;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Contexts by their servers' names of them. Servers choose these without knowing of each other, so that the host counts
 * too; but one host may have several addresses, one for TCP and another one for RDMA.
 */
final class ContextTable {

  private record Key(InetAddress server, ByteBuffer handle) {}

  private final Map<Key, KnownContext> byServer = new HashMap<>();
  private final Map<ByteBuffer, KnownContext> latest = new HashMap<>();

  /** A context stands; one of the same name does no more. */
  void put(InetAddress server, byte[] handle, KnownContext context) {
    ByteBuffer name = ByteBuffer.wrap(handle);
    byServer.put(new Key(server, name), context);
    latest.put(name, context);
  }

  /** The context of a call; null if there is none. */
  KnownContext find(InetAddress server, byte[] handle) {
    ByteBuffer name = ByteBuffer.wrap(handle);
    KnownContext here = byServer.get(new Key(server, name));
    return here != null ? here : latest.get(name);
  }
}
