// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

/**
 * The upcalls of one queue pair, all on its owning event loop and never from inside a method of the
 * queue pair. An implementation may post, expose, revoke and close from any of them. What it throws
 * goes to the context's exception handler and ends this connection, and no other.
 */
public interface QueuePairHandler {

  /** The connection is up; the first upcall of a connection that comes up. */
  void established();

  /**
   * A work request has completed.
   *
   * <p>Completions of the send queue come in posting order among themselves, those of the receive
   * queue as well; between the two queues there is no order.
   *
   * @param completion valid only during this upcall
   */
  void completed(WorkCompletion completion);

  /**
   * The outcome of {@link QueuePair#expose}.
   *
   * @param exposure its {@link Exposure#failure()} tells whether it may be used
   */
  void exposed(Exposure exposure);

  /**
   * The outcome of {@link QueuePair#revoke}: from now on the peer cannot reach the memory and the
   * device has no more use for it.
   *
   * @param exposure the exposure that has ended
   */
  void revoked(Exposure exposure);

  /** The last upcall of a batch; a good place for one {@link QueuePair#flush}. */
  void batchEnd();

  /**
   * The connection is gone: the last upcall. All work requests have completed, and all exposures
   * have ended whether or not they were revoked.
   *
   * @param reason why
   */
  void disconnected(DisconnectReason reason);
}
