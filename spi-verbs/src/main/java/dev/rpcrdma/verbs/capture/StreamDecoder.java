// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.nio.ByteBuffer;

/** Decodes one connection of a capture. Not safe for several threads. */
public interface StreamDecoder {

  /**
   * Takes the next bytes of one direction and tells of what is complete with them. What follows a
   * {@link DecodedUnit.Kind#FAULT} or {@link DecodedUnit.Kind#FOREIGN} is ignored.
   *
   * @param frame number of the frame that brought them
   * @param fromOpener their direction
   * @param bytes from position to limit, all of which are taken
   */
  void bytes(long frame, boolean fromOpener, ByteBuffer bytes);

  /**
   * One direction was ended by its sender, behind all that {@link #bytes} has told of it. A direction that was reset, or
   * that goes on when the capture ends, may end anywhere, and is not told of. By default nothing is done.
   *
   * @param frame number of the frame that ended it
   * @param fromOpener the direction
   */
  default void finished(long frame, boolean fromOpener) {}
}
