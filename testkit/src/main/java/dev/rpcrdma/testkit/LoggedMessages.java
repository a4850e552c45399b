// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class says in the log, from the making of this to its closing. */
public final class LoggedMessages implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord message) {
      messages.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  /**
   * Begins to listen.
   *
   * @param name the logger's, which is the class's
   */
  public LoggedMessages(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(handler);
  }

  /**
   * What was said.
   *
   * @return a live list
   */
  public List<String> all() {
    return messages;
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
