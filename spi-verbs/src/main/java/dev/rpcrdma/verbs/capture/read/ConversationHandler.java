// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.nio.ByteBuffer;

/** Told of the TCP connections in a capture while it is read, in the order of its frames. */
public interface ConversationHandler {

  /**
   * A connection begins.
   *
   * @param conversation the connection
   */
  void opened(Conversation conversation);

  /**
   * Called behind {@link #opened} for a connection without a captured SYN, or answer to one: it was open before the
   * capture, was forgotten, or its first segments were lost. Its first bytes may stand anywhere in its streams.
   *
   * @param conversation the connection
   */
  default void joined(Conversation conversation) {}

  /**
   * The next bytes of one direction: in order, each once.
   *
   * @param conversation the connection
   * @param frame number of the frame that made them available, from 1
   * @param fromOpener their direction
   * @param bytes valid only during this call
   */
  void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes);

  /**
   * Bytes of one direction are not in the capture, so that nothing behind them can be told.
   *
   * @param conversation the connection
   * @param frame the first frame behind what is missing
   * @param fromOpener the direction
   * @param missing how many bytes
   */
  void gap(Conversation conversation, long frame, boolean fromOpener, long missing);

  /**
   * Called when so many connections are open at a time that one has to go; {@link #ended} follows. Of those that are
   * open, it was silent for longest. Further bytes would begin another connection.
   *
   * @param conversation the connection
   * @param frame the frame that has opened the newest connection
   */
  default void forgotten(Conversation conversation, long frame) {}

  /**
   * One direction was ended by a FIN, behind all of its bytes, which were told. Called just before {@link #ended}.
   *
   * @param conversation the connection
   * @param frame the frame with the FIN
   * @param fromOpener the direction
   */
  default void finished(Conversation conversation, long frame, boolean fromOpener) {}

  /**
   * Nothing more will be told of a connection.
   *
   * @param conversation the connection
   */
  void ended(Conversation conversation);
}
