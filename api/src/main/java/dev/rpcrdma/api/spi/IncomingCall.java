// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/**
 * A call that a transport has brought. Hears of one answer: of {@link #reply}, {@link #reject} and {@link #tooMany} the
 * first is the only one, unless a reply fails, which is followed by a rejection.
 */
public interface IncomingCall {

  /**
   * Its head.
   *
   * @return number, program, version, procedure and credential
   */
  CallHeader header();

  /**
   * The trace that it is a part of, with whatever else tracers have said.
   *
   * @return of nothing if there is none
   */
  Metadata metadata();

  /**
   * Headers of the application.
   *
   * @return by lower-case name
   */
  Map<String, String> headers();

  /**
   * How long its caller waited when it came.
   *
   * @return nanoseconds; {@link Long#MAX_VALUE} if it does not say
   */
  long nanosLeft();

  /**
   * Who calls, for messages.
   *
   * @return a text
   */
  String caller();

  /**
   * Who calls, to be called back.
   *
   * @return asked each time
   */
  RpcCaller peer();

  /**
   * Judges who calls, before the arguments are looked at.
   *
   * @return empty if the transport knows nobody; fails with a {@link dev.rpcrdma.api.RpcStatusException} to refuse
   */
  Future<Optional<RpcUser>> user();

  /**
   * Makes the arguments ready to be read.
   *
   * @return the reader; fails with an {@link dev.rpcrdma.protocol.xdr.XdrException} if they cannot be read
   */
  Future<XdrReader> arguments();

  /** The service is done with the arguments, or never gets them; once, from any thread. */
  void done();

  /**
   * Answers with results; on the thread on which the service's future has completed, mostly its context's.
   *
   * @param results to be written before the future completes
   * @return fails if they cannot be written
   */
  Future<Void> reply(PayloadStream results);

  /**
   * Answers without results; from any thread.
   *
   * @param header says why, or that there are none
   */
  void reject(ReplyHeader header);

  /**
   * Refuses the call, since as many as may be are being executed.
   *
   * @param maxCalls the bound
   */
  void tooMany(int maxCalls);
}
