// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;

/** A queue pair that also stands between another one and its handler. */
interface DecoratedQueuePair extends QueuePair {

  /** The handler for the wrapped queue pair, given the consumer's. */
  QueuePairHandler handler(QueuePairHandler consumer);
}
