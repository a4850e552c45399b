// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.Region;

/** Read chunks that are here without anybody having pulled them, for tests of what reads them. */
public final class Pulls {

  private Pulls() {}

  /** What makes them, and pulls none. */
  public static Puller puller() {
    return new Puller(null, null, 0);
  }

  /** A chunk has come. */
  public static void pulled(Pull pull, int position, Region region) {
    pull.sink(position, region);
  }
}
