// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.PeerProcess;
import java.io.IOException;

/** The other process: the service, of ours and of other systems. */
final class OverloadPeer {

  private OverloadPeer() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws IOException if standard input cannot be read
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println(SlowOwn.serve(SlowOwn.FEW_WAITING) + " "
        + SlowOwn.serve(RpcServerOptions.DEFAULT_MAX_CALLS_PER_SERVICE) + " " + SlowGrpc.serve() + " "
        + SlowEventBus.serve());
    PeerProcess.serve();
  }
}
