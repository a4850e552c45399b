// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;

/** Where a call of the peer is at home: the end of the connection that it came over. */
interface CallHome {

  /** What is remembered of the peer's calls. */
  CallHistory history();

  /** Whether the connection can still carry an answer. */
  boolean open();

  /** Who makes a call has been judged; from any thread. */
  void judged(IncomingCall call, Verdict verdict);

  /** Answers a call with results; from any thread. */
  void reply(IncomingCall call, XdrEncoder results);

  /** Answers a call that has failed; from any thread. */
  void fail(IncomingCall call, AcceptStatus status);

  /** Answers a call that is not executed; from any thread. */
  void reject(IncomingCall call, Reply reply);

  /** The Reads of a call have ended. */
  void pulled(IncomingCall call, long now);

  /** The Reads of a call were not begun in time. */
  void starved(IncomingCall call, long now);

  /** Goes on with a call that waited for what became of its first appearance. */
  void proceed(IncomingCall call);

  /** Answers a call with the reply to its first appearance. */
  void answerAgain(IncomingCall call, Reply reply);

  /** Says that a call was executed, and that its reply is not to be had any more. */
  void answerGone(IncomingCall call);

  /** A call has waited for its service as long as it may. */
  void timedOut(IncomingCall call, long now);
}
