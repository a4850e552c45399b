// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** All that anybody says in the log, at any level, from the making of this to its closing. */
public final class EverythingLogged implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger root = Logger.getLogger("");
  private final Level before = root.getLevel();
  private final Handler handler = new Handler() {
    private final SimpleFormatter formatter = new SimpleFormatter();

    @Override
    public void publish(LogRecord message) {
      StringWriter all = new StringWriter();
      all.append(formatter.formatMessage(message));
      if (message.getThrown() != null) {
        message.getThrown().printStackTrace(new PrintWriter(all));
      }
      messages.add(all.toString());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  /** Begins to listen. */
  public EverythingLogged() {
    handler.setLevel(Level.ALL);
    root.setLevel(Level.ALL);
    root.addHandler(handler);
  }

  /**
   * What was said.
   *
   * @return a live list of messages, with what was thrown
   */
  public List<String> all() {
    return messages;
  }

  @Override
  public void close() {
    root.removeHandler(handler);
    root.setLevel(before);
  }
}
