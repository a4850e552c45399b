// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * Does something with each file, several at a time: no more than a number of files, and no more than
 * a number of bytes unless it is one file. Confined to one context.
 */
final class Window {

  private static final int MAX_FILES = 32;
  private static final long MAX_BYTES = 128L << 20;

  private final Iterator<SourceFile> files;
  private final Function<SourceFile, Future<?>> action;
  private final Promise<Void> done = Promise.promise();
  private SourceFile next;
  private int active;
  private long activeBytes;

  private Window(List<SourceFile> files, Function<SourceFile, Future<?>> action) {
    this.files = files.iterator();
    this.action = action;
  }

  static Future<Void> forEach(List<SourceFile> files, Function<SourceFile, Future<?>> action) {
    Window window = new Window(files, action);
    window.advance();
    window.pump();
    return window.done.future();
  }

  private void advance() {
    next = files.hasNext() ? files.next() : null;
  }

  private void pump() {
    while (next != null && !done.future().isComplete() && active < MAX_FILES
        && (active == 0 || activeBytes + next.size() <= MAX_BYTES)) {
      SourceFile file = next;
      advance();
      active++;
      activeBytes += file.size();
      action.apply(file).onComplete(result -> {
        active--;
        activeBytes -= file.size();
        if (result.failed()) {
          done.tryFail(result.cause());
        }
        pump();
      });
    }
    if (next == null && active == 0) {
      done.tryComplete();
    }
  }
}
