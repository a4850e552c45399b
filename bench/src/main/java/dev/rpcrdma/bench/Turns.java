// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import java.io.IOException;

/**
 * Several ways, measured by short turns. Where event loops run, on one processor or two, changes within seconds, and
 * what they carry by a factor of three: by short turns, every other one the other way round, all ways meet the same.
 */
final class Turns {

  private Turns() {}

  /** Measures a part of one way. */
  interface Turn {

    void take(int way) throws IOException;
  }

  static void take(int turns, int ways, Turn measured) throws IOException {
    for (int turn = 0; turn < turns; turn++) {
      for (int step = 0; step < ways; step++) {
        measured.take(turn % 2 == 0 ? step : ways - 1 - step);
      }
    }
  }
}
