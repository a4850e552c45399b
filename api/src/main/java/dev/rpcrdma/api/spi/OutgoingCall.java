// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.concurrent.Callable;

/**
 * A call that a transport carries. Has one outcome: what comes later is without effect. All of it is for the context of
 * its {@link TransportCaller}.
 */
public interface OutgoingCall {

  /**
   * What is called.
   *
   * @return the request
   */
  RpcRequest<?> request();

  /**
   * The number of this call: those of one caller follow each other.
   *
   * @return 32 bits
   */
  int xid();

  /**
   * The encoded arguments.
   *
   * @return valid until the outcome
   */
  PayloadStream arguments();

  /**
   * What goes beside the arguments.
   *
   * @return trace context and headers
   */
  Metadata metadata();

  /**
   * Who calls.
   *
   * @return the call's own, or the caller's
   */
  OpaqueAuth credentials();

  /**
   * For how long the caller still waits. The call fails by itself then.
   *
   * @return nanoseconds, possibly negative
   */
  long nanosLeft();

  /**
   * Says that the peer may see the call from now on.
   *
   * @return false if the call has its outcome, and is not to be sent
   */
  boolean sending();

  /**
   * The peer has executed the call.
   *
   * @param results gives what the results are read from, during the call
   * @param byWorker whether that, and reading, is for a worker, as it takes too long for an event loop
   */
  void replied(Callable<XdrReader> results, boolean byWorker);

  /**
   * The peer has answered without results.
   *
   * @param header says why
   */
  void rejected(ReplyHeader header);

  /** No answer is going to come in time. */
  void timedOut();

  /**
   * There is no answer.
   *
   * @param failure why
   */
  void failed(RpcException failure);
}
