// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.load;

import dev.rpcrdma.bench.peers.RpcPeer;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Several connections of one system, used in turn. */
public final class Connections implements AutoCloseable {

  private final List<RpcPeer> peers = new ArrayList<>();

  /**
   * Connects.
   *
   * @param count how many connections
   * @param peer makes one
   * @throws Exception what making one throws
   */
  public Connections(int count, Callable<RpcPeer> peer) throws Exception {
    for (int i = 0; i < count; i++) {
      peers.add(peer.call());
    }
  }

  /**
   * Small calls over some of them.
   *
   * @param count how many connections
   * @return starts one call, from any thread
   */
  public Supplier<Future<?>> echo(int count) {
    AtomicInteger turn = new AtomicInteger();
    return count == 1 ? peers.get(0)::echo
        : () -> peers.get(Math.floorMod(turn.getAndIncrement(), count)).echo();
  }

  @Override
  public void close() throws IOException {
    for (RpcPeer peer : peers) {
      peer.close();
    }
  }
}
