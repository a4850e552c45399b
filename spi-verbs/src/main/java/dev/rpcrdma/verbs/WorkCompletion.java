// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

/**
 * The end of one work request. A provider may reuse one object for all: read it during the upcall,
 * never keep it.
 */
public interface WorkCompletion {

  /** The kinds of work request. */
  enum Opcode {
    /** {@link QueuePair#postSend} or {@link QueuePair#postSendWithInvalidate}. */
    SEND,
    /** {@link QueuePair#postWrite}. */
    WRITE,
    /** {@link QueuePair#postRead}. */
    READ,
    /** {@link QueuePair#postReceive}. */
    RECEIVE
  }

  /** How work requests end. */
  enum Status {
    /**
     * Done. For a Receive or a Read the data is here, and the peer can no longer change it. For a
     * Send or a Write the local buffer is free again; the peer may or may not have the data.
     */
    SUCCESS,
    /** Not done, because the connection ended first. */
    FLUSHED,
    /** Failed; the connection ends. */
    ERROR
  }

  /**
   * The identification given when it was posted.
   *
   * @return the work request's id
   */
  long id();

  /**
   * What kind of request it was.
   *
   * @return the opcode
   */
  Opcode opcode();

  /**
   * How it ended.
   *
   * @return the status
   */
  Status status();

  /**
   * How many bytes came in.
   *
   * @return for a successful Receive the message's length, for others unspecified
   */
  int byteLength();

  /**
   * Whether the peer's Send invalidated one of our exposures.
   *
   * @return true for a successful Receive of a Send With Invalidate
   */
  boolean invalidated();

  /**
   * The steering tag that the peer's Send invalidated. It needs no {@link QueuePair#revoke} any
   * more, and gets no {@link QueuePairHandler#revoked} upcall.
   *
   * @return the tag, if {@link #invalidated()}
   */
  int invalidatedTag();
}
