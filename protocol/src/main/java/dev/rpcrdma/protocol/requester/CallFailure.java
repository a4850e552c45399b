// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/**
 * Why a call has no reply.
 *
 * @param kind for programs
 * @param message for people
 * @param sent whether the peer may have seen the call, and executed it
 */
public record CallFailure(Kind kind, String message, boolean sent) {

  /**
   * The failure of a call that the peer has not seen.
   *
   * @param kind for programs
   * @param message for people
   */
  public CallFailure(Kind kind, String message) {
    this(kind, message, false);
  }

  /**
   * The failure of a call whose reply cannot be used.
   *
   * @param problem what is wrong with it
   * @return of kind BAD_REPLY
   */
  static CallFailure badReply(String problem) {
    return new CallFailure(Kind.BAD_REPLY, "The peer's reply breaks RFC 8166: " + problem, true);
  }

  /** The causes. */
  public enum Kind {
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
