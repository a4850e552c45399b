// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** How a call has ended. */
public sealed interface Outcome {

  /** Time of a server that says nothing of it. */
  long UNKNOWN = -1;

  /**
   * The peer has executed the call.
   *
   * @param results what follows the reply's head; valid only while the outcome is told
   * @param serverNanos how long the server took since the call had arrived, in nanoseconds, or {@link #UNKNOWN}
   */
  record Reply(XdrReader results, long serverNanos) implements Outcome {}

  /**
   * The peer replied that it did not execute the call, or could not.
   *
   * @param header the reply's head, which says why
   * @param serverNanos how long the server took, in nanoseconds, or {@link #UNKNOWN}
   */
  record Rejected(ReplyHeader header, long serverNanos) implements Outcome {}

  /**
   * There is no reply. What memory the peer may still reach is set aside.
   *
   * @param kind for programs
   * @param message for people
   * @param sent whether the peer may have seen the call, and executed it
   */
  record Failed(Kind kind, String message, boolean sent) implements Outcome {

    /**
     * The failure of a call that the peer has not seen.
     *
     * @param kind for programs
     * @param message for people
     */
    public Failed(Kind kind, String message) {
      this(kind, message, false);
    }

    /**
     * The failure of a call whose reply cannot be used.
     *
     * @param problem what is wrong with it
     * @return of kind BAD_REPLY
     */
    static Failed badReply(String problem) {
      return new Failed(Kind.BAD_REPLY, "The peer's reply breaks RFC 8166: " + problem, true);
    }

    /**
     * Returns this failure of a call that the peer may have executed.
     *
     * @return one that says so
     */
    public Failed maybeExecuted() {
      return sent ? this : new Failed(kind, message, true);
    }

    /**
     * Returns this failure of a call that its caller has given up meanwhile.
     *
     * @return if its connection has ended, one of kind CANCELLED
     */
    public Failed ofCancelled() {
      return kind == Kind.CONNECTION_LOST || kind == Kind.CLOSED
          ? new Failed(Kind.CANCELLED, "The call was cancelled", sent) : this;
    }
  }

  /** The causes of failures. */
  enum Kind {
    /** No reply in time. */
    TIMEOUT,
    /** The caller gave up. */
    CANCELLED,
    /** The connection ended first. */
    CONNECTION_LOST,
    /** The connection ended, and the peer has forgotten since whether it executed the call. */
    FORGOTTEN,
    /** No connection could be made. */
    NOT_CONNECTED,
    /** This side closes the connection; the call was not sent. */
    CLOSED,
    /** The peer answered RDMA_ERROR. */
    REMOTE_ERROR,
    /** The peer's reply breaks RFC 8166 (C-10). */
    BAD_REPLY,
    /** The peer has too many calls, and says that it has not executed this one. */
    OVERLOADED,
    /** The call is to be protected, and there is nothing that could protect it: it was not sent, or refused. */
    NOT_PROTECTED,
    /** A bound of this side is reached, or memory could not be had or exposed; not sent. */
    RESOURCES
  }
}
