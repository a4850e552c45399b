// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.impl;

import dev.rpcrdma.api.RpcCall;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares of a bounded number. A peer has no more than half of what the other peers leave free. Safe for all
 * threads.
 */
public final class PeerShares {

  private final int most;
  /** Number of each peer that has any. Guarded by this. */
  private final Map<Object, Integer> numbers = new HashMap<>();
  private int inAll;

  /**
   * Creates shares of which no peer has any.
   *
   * @param most number of all peers together; twice that of a peer that is alone
   */
  public PeerShares(int most) {
    this.most = most;
  }

  /**
   * Returns the host that a call comes from.
   *
   * @param call the call
   * @return the address of the host; empty over the event bus, whose callers have none
   */
  public static String host(RpcCall call) {
    try {
      SocketAddress address = call.connection().remoteAddress();
      return String.valueOf(address.hostAddress() == null ? address.host() : address.hostAddress());
    } catch (UnsupportedOperationException overEventBus) {
      return "";
    }
  }

  /**
   * Adds one to the number of a peer.
   *
   * @param peer the peer
   * @return false if the peer has its share already
   */
  public synchronized boolean add(Object peer) {
    int own = number(peer);
    if (own >= (most - (inAll - own)) / 2) {
      return false;
    }
    numbers.put(peer, own + 1);
    inAll++;
    return true;
  }

  /**
   * Takes one from the number of a peer.
   *
   * @param peer the peer
   */
  public synchronized void remove(Object peer) {
    numbers.compute(peer, (same, own) -> own == null || own == 1 ? null : own - 1);
    inAll--;
  }

  /**
   * Returns the number of a peer.
   *
   * @param peer the peer
   * @return 0 if it has none
   */
  public synchronized int number(Object peer) {
    return numbers.getOrDefault(peer, 0);
  }
}
