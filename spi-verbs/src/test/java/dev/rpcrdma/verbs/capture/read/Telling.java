// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes down what it is told: text with its frame and direction, gaps, beginnings and ends. */
record Telling(StringBuilder told) implements ConversationHandler {

  /** Returns all that is told of a capture. */
  static String of(byte[] file) throws IOException {
    StringBuilder told = new StringBuilder();
    CaptureFile.read(new ByteArrayInputStream(file), new Telling(told));
    return told.toString();
  }

  @Override
  public void opened(Conversation conversation) {
    told.append("open ").append(conversation.number()).append(' ');
  }

  @Override
  public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
    told.append(StandardCharsets.US_ASCII.decode(bytes)).append('@').append(frame)
        .append(fromOpener ? '>' : '<').append(' ');
  }

  @Override
  public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
    told.append("gap ").append(missing).append('@').append(frame).append(fromOpener ? '>' : '<').append(' ');
  }

  @Override
  public void ended(Conversation conversation) {
    told.append("end ").append(conversation.number()).append(' ');
  }
}
