// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import dev.rpcrdma.protocol.replicated.ReplyEntry;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.shareddata.AsyncMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The map that all servers share. An operation that fails, or takes too long, may have taken effect, or may still do
 * so. From any thread.
 */
public final class ReplyMap {

  private static final Logger LOG = LoggerFactory.getLogger(ReplyMap.class);

  private final Supplier<Future<AsyncMap<String, Buffer>>> source;
  private final long entryMillis;
  private final long timeoutMillis;
  private final LogRateLimit pace = new LogRateLimit(System.nanoTime());
  /** Null before the first operation, and while the last attempt to get the map has failed. */
  private volatile Future<AsyncMap<String, Buffer>> map;
  /** Whether an entry that is replaced can be told how long it lives. */
  private volatile boolean timesReplaced = true;

  /**
   * A map that is got with the first operation.
   *
   * @param source asked again after it has failed
   */
  public ReplyMap(Supplier<Future<AsyncMap<String, Buffer>>> source, ReplicatedRepliesOptions options) {
    this.source = source;
    this.entryMillis = options.getEntryTime().toMillis();
    this.timeoutMillis = options.getMapTimeout().toMillis();
  }

  /**
   * Puts an entry in if there is none.
   *
   * @param context hears of the outcome
   * @param millisLeft how long it may take, if that is less than the map's own time
   * @return what was there; null if nothing was
   */
  Future<ReplyEntry> insert(Context context, long millisLeft, String key, ReplyEntry entry) {
    Buffer value = encoded(entry);
    return ask(context, millisLeft, known -> known.putIfAbsent(key, value, entryMillis)).map(ReplyMap::decoded);
  }

  /** What is there; null if nothing is. */
  Future<ReplyEntry> read(Context context, long millisLeft, String key) {
    return ask(context, millisLeft, known -> known.get(key)).map(ReplyMap::decoded);
  }

  /** Puts an entry in the place of another one; tells whether that was there. */
  Future<Boolean> replace(Context context, long millisLeft, String key, ReplyEntry from, ReplyEntry to) {
    Buffer expected = encoded(from);
    Buffer value = encoded(to);
    return ask(context, millisLeft, known -> replace(known, key, expected, value));
  }

  private Future<Boolean> replace(AsyncMap<String, Buffer> known, String key, Buffer expected, Buffer value) {
    if (!timesReplaced) {
      return known.replaceIfPresent(key, expected, value);
    }
    return known.replaceIfPresent(key, expected, value, entryMillis).recover(failure -> {
      if (!(failure instanceof UnsupportedOperationException)) {
        return Future.failedFuture(failure);
      }
      timesReplaced = false;
      return known.replaceIfPresent(key, expected, value);
    });
  }

  /** Whatever thread the map answers on, and whatever it throws. */
  private <T> Future<T> ask(Context context, long millisLeft,
      Function<AsyncMap<String, Buffer>, Future<T>> operation) {
    Promise<T> promise = Contexts.promise(context);
    try {
      got().compose(operation).onComplete(promise);
    } catch (Throwable e) {
      promise.tryFail(e);
    }
    return promise.future().timeout(Math.max(1, Math.min(timeoutMillis, millisLeft)), TimeUnit.MILLISECONDS)
        .onFailure(this::failed);
  }

  /** Some entries may be out of reach while others are not, so each failure is one among many that are none. */
  private synchronized void failed(Throwable failure) {
    if (pace.due(System.nanoTime())) {
      LOG.warn("The map of replies fails: calls are not executed, or their replies not stored", failure);
    }
  }

  private Future<AsyncMap<String, Buffer>> got() {
    Future<AsyncMap<String, Buffer>> known = map;
    if (known == null || known.failed()) {
      // Belongs to no context: that of the first call may end before other calls ask.
      Promise<AsyncMap<String, Buffer>> asked = Promise.promise();
      source.get().onComplete(asked);
      known = asked.future();
      map = known;
    }
    return known;
  }

  private static Buffer encoded(ReplyEntry entry) {
    return Buffer.buffer(entry.encoded());
  }

  private static ReplyEntry decoded(Buffer value) {
    return value == null ? null : ReplyEntry.decode(value.getBytes());
  }
}
