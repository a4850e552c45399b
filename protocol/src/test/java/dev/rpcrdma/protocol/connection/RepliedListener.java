// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;

/** Hears of results; any other outcome fails the test. */
@FunctionalInterface
interface RepliedListener extends CallListener {

  @Override
  default void rejected(ReplyHeader header) {
    throw new AssertionError(header);
  }

  @Override
  default void failed(Outcome.Failed failure) {
    throw new AssertionError(failure);
  }
}
