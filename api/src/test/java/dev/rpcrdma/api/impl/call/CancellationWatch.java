// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;

/** Sees what a cancellation keeps. */
public final class CancellationWatch {

  private CancellationWatch() {}

  /** How many calls it knows now. */
  public static int calls(Cancellation cancellation) {
    return ((CancellationImpl) cancellation).size();
  }
}
