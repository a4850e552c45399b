// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

/**
 * Why a stream is terminated, as the peer is told: layer, error type and error code (RFC 5040 §4.8,
 * RFC 5041 §7, RFC 5044 §8, RFC 6581 §8).
 */
public enum TerminateCode {
  /** RDMAP: this side failed, for reasons of its own. */
  LOCAL_CATASTROPHIC(0, 0, 0x00),
  /** RDMAP: a Read Request names a steering tag that is none. */
  READ_INVALID_TAG(0, 1, 0x00),
  /** RDMAP: a Read Request reaches outside the tagged range. */
  READ_BOUNDS(0, 1, 0x01),
  /** RDMAP: the tag does not allow this access. */
  ACCESS_RIGHTS(0, 1, 0x02),
  /** RDMAP: a Read Request's offset wraps around 64 bits. */
  READ_OFFSET_WRAP(0, 1, 0x04),
  /** RDMAP: the steering tag cannot be invalidated. */
  CANNOT_INVALIDATE(0, 1, 0x09),
  /** RDMAP: a version other than 1. */
  RDMAP_VERSION(0, 2, 0x05),
  /** RDMAP: an opcode that is unknown or has no place here. */
  UNEXPECTED_OPCODE(0, 2, 0x06),
  /** RDMAP: the steering tag cannot be invalidated, found while delivering; what Linux says. */
  CANNOT_INVALIDATE_TAG(0, 2, 0x09),
  /** RDMAP: an error that ends this stream, of no other code. */
  STREAM_CATASTROPHIC(0, 2, 0x07),
  /** DDP: a segment that is too short for its header. */
  DDP_CATASTROPHIC(1, 0, 0x00),
  /** DDP: a tagged segment names a steering tag that is none. */
  INVALID_TAG(1, 1, 0x00),
  /** DDP: a tagged segment reaches outside the tagged range. */
  BOUNDS(1, 1, 0x01),
  /** DDP: a tagged offset wraps around 64 bits. */
  OFFSET_WRAP(1, 1, 0x03),
  /** DDP: a tagged segment of a version other than 1. */
  TAGGED_VERSION(1, 1, 0x04),
  /** DDP: a queue number that is none. */
  INVALID_QUEUE(1, 2, 0x01),
  /** DDP: no buffer is posted for the message. */
  NO_BUFFER(1, 2, 0x02),
  /** DDP: a message sequence number out of its range. */
  SEQUENCE_RANGE(1, 2, 0x03),
  /** DDP: a message offset that is none. */
  INVALID_OFFSET(1, 2, 0x04),
  /** DDP: the message is longer than its buffer. */
  MESSAGE_TOO_LONG(1, 2, 0x05),
  /** DDP: an untagged segment of a version other than 1. */
  UNTAGGED_VERSION(1, 2, 0x06),
  /** MPA: the CRC does not match. */
  CRC_MISMATCH(2, 0, 0x02),
  /** MPA: a marker and an FPDU's length disagree. */
  MARKER_MISMATCH(2, 0, 0x03),
  /** MPA: the peer's IRD does not suffice. */
  INSUFFICIENT_IRD(2, 0, 0x06),
  /** MPA: no ready-to-receive message that both sides know. */
  NO_MATCHING_RTR(2, 0, 0x07);

  private final int layer;
  private final int type;
  private final int code;

  TerminateCode(int layer, int type, int code) {
    this.layer = layer;
    this.type = type;
    this.code = code;
  }

  /**
   * The layer that found the error.
   *
   * @return 0 RDMAP, 1 DDP, 2 MPA
   */
  public int layer() {
    return layer;
  }

  /**
   * The error type within the layer.
   *
   * @return 0 to 15
   */
  public int type() {
    return type;
  }

  /**
   * The error code within the type.
   *
   * @return 0 to 255
   */
  public int code() {
    return code;
  }
}
