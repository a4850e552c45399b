// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

/** What a {@link dev.rpcrdma.api.Cancellation} can give up. */
public interface Cancellable {

  /** Gives it up, from any thread, in a turn of its own context. Without effect if it has its outcome. */
  void giveUp();
}
