// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** Hears of failures; a reply of any kind fails the test. */
@FunctionalInterface
public interface FailedListener extends CallListener {

  @Override
  default void replied(XdrReader results) {
    throw new AssertionError("It was answered");
  }

  @Override
  default void rejected(ReplyHeader header) {
    throw new AssertionError(header);
  }
}
