// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Lines that a class logs at any level, each with its level in front. */
final class DetailedLog implements AutoCloseable {

  final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord line) {
      lines.add(line.getLevel() + " " + line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  DetailedLog(Class<?> logging) {
    logger = Logger.getLogger(logging.getName());
    before = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(before);
  }
}
