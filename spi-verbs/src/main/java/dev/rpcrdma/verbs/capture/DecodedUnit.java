package dev.rpcrdma.verbs.capture;

import java.nio.ByteBuffer;

/**
 * Something that a decoder found in a stream.
 *
 * @param kind what it is
 * @param frame number of the frame with its last byte
 * @param fromOpener its direction
 * @param text in one line, for people
 * @param payload of STARTUP the consumer's private data, of MESSAGE the message, else empty
 */
public record DecodedUnit(Kind kind, long frame, boolean fromOpener, String text,
    ByteBuffer payload) {

  /** The kinds of find. */
  public enum Kind {
    /** A frame by which the connection is set up. */
    STARTUP,
    /** One segment of the protocol. */
    SEGMENT,
    /** A message for the layer above, complete; behind its last segment. */
    MESSAGE,
    /** An error of the sender: the last find of its stream. */
    FAULT,
    /** The stream is of another protocol: its only find. */
    FOREIGN
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

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
