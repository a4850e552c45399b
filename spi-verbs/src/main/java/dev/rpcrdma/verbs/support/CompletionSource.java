// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

/** The work requests of one queue pair, as far as they are over. */
public interface CompletionSource {

  /**
   * Takes the oldest work request off the send queue if it is done.
   *
   * @param into filled
   * @return false if it is not done
   */
  boolean nextDone(Completion into);

  /**
   * Takes the oldest work request off either queue, done or not, once the connection is down.
   *
   * @param into filled
   * @return false if both queues are empty
   */
  boolean nextFlushed(Completion into);
}
