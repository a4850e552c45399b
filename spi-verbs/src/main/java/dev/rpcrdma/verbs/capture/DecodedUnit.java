// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.nio.ByteBuffer;

/**
 * Something that a decoder found in a stream.
 *
 * @param kind what it is
 * @param frame number of the frame with its last byte
 * @param fromOpener its direction
 * @param text in one line, for people
 * @param payload of STARTUP the consumer's private data, of MESSAGE the message, of WRITTEN and READ the data, else
 *     empty
 * @param tag of WRITTEN and READ the steering tag of the memory that was exposed for it, else 0
 * @param address of WRITTEN and READ where the data is under that tag, else 0
 */
public record DecodedUnit(Kind kind, long frame, boolean fromOpener, String text, ByteBuffer payload, int tag,
    long address) {

  /** The kinds of find. */
  public enum Kind {
    /** A frame by which the connection is set up. */
    STARTUP,
    /** One segment of the protocol. */
    SEGMENT,
    /** A message for the layer above, complete; behind its last segment. */
    MESSAGE,
    /** Data that was put into memory of the side that receives it, by one segment; behind that. */
    WRITTEN,
    /** Data that was fetched from memory of the side that sends it, by one segment; behind that. */
    READ,
    /** An error of the sender: the last find of its stream. */
    FAULT,
    /** The stream is of another protocol: its only find. */
    FOREIGN
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /**
   * A find that is about no memory.
   *
   * @param kind what it is
   * @param frame number of the frame with its last byte
   * @param fromOpener its direction
   * @param text in one line, for people
   * @param payload of STARTUP the consumer's private data, of MESSAGE the message, else empty
   */
  public DecodedUnit(Kind kind, long frame, boolean fromOpener, String text, ByteBuffer payload) {
    this(kind, frame, fromOpener, text, payload, 0, 0);
  }

  /**
   * A find without a payload.
   *
   * @param kind what it is
   * @param frame number of the frame with its last byte
   * @param fromOpener its direction
   * @param text in one line, for people
   */
  public DecodedUnit(Kind kind, long frame, boolean fromOpener, String text) {
    this(kind, frame, fromOpener, text, NOTHING);
  }
}
