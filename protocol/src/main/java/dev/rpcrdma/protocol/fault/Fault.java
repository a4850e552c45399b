// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fault;

/**
 * A peer's violation of RPC-over-RDMA version 1, and what a responder answers to it; the connection
 * survives. A requester answers nothing to any of them (RFC 8166 §4.5): it discards the message, and
 * fails the call that it can be matched to.
 */
public enum Fault {
  /** RFC 8166 §4.5.1: a version other than 1. */
  UNSUPPORTED_VERSION(Answer.ERR_VERS),
  /** an error, or RDMA_DONE, of another version: neither is ever answered. */
  FOREIGN_NOTICE(Answer.NOTHING),
  /** RFC 8166 §4.5.2: lists that cannot be decoded, or an unknown procedure. */
  BAD_HEADER(Answer.ERR_CHUNK),
  /** RFC 8166 §4.2.4: the inner XID differs from rdma_xid (C-21). */
  XID_MISMATCH(Answer.ERR_CHUNK),
  /** RFC 8166 §3.4.5: a Position that is not a multiple of four, or not inside the message. */
  BAD_POSITION(Answer.ERR_CHUNK),
  /** RFC 8166 §8.1.4: chunks larger, or more, than this side is willing to take. */
  UNREASONABLE_CHUNKS(Answer.ERR_CHUNK),
  /** RFC 8166 §4.3.2, §4.3.3: results fit neither inline nor into the chunks offered. */
  REPLY_TOO_LARGE(Answer.ERR_CHUNK),
  /** RFC 8166 §4.6.1: RDMA_MSGP, which nobody may send. */
  OBSOLETE_PROCEDURE(Answer.ERR_CHUNK),
  /** RFC 8166 §4.6.2: RDMA_DONE without the feature that gives it a meaning. */
  UNEXPECTED_DONE(Answer.NOTHING);

  /** What a responder does about a fault. */
  public enum Answer {
    /** Discard the message. */
    NOTHING,
    /** RDMA_ERROR with ERR_VERS. */
    ERR_VERS,
    /** RDMA_ERROR with ERR_CHUNK. */
    ERR_CHUNK
  }

  private final Answer answer;

  Fault(Answer answer) {
    this.answer = answer;
  }

  /**
   * What a responder does about it.
   *
   * @return the answer
   */
  public Answer answer() {
    return answer;
  }
}
