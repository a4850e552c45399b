// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

/** A means other than RDMA to carry calls to one peer. Encoding, deadlines, cancelling and spans are not its matter. */
public interface CallTransport {

  /**
   * Carries a call. Runs on the context of its {@link TransportCaller}, as all that it tells the call has to.
   *
   * @param call has its one outcome when the transport has told it, or its caller has given it up
   */
  void carry(OutgoingCall call);

  /**
   * A call that was sent is given up by its caller, who has everything back. Runs on the same context.
   *
   * @param call of which the peer may be told that nobody waits for it any more
   */
  void givenUp(OutgoingCall call);
}
