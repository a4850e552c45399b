// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.AsyncMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A map whose user is stopped before or after an operation, for ever. */
final class SteppedReplyMap {

  /** Where to stop. */
  enum Stop { BEFORE_CLAIM, AFTER_CLAIM, BEFORE_STORE, AFTER_STORE }

  private record Stopping(Stop where, CountDownLatch reached) {}

  private final AtomicReference<Stopping> next = new AtomicReference<>();
  final AsyncMap<String, Buffer> map;

  @SuppressWarnings("unchecked") // The proxy has this interface alone.
  SteppedReplyMap(AsyncMap<String, Buffer> real) {
    map = (AsyncMap<String, Buffer>) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {AsyncMap.class}, (proxy, method, arguments) -> {
          boolean store = method.getName().equals("replaceIfPresent") && arguments.length == 3;
          boolean claim = method.getName().equals("putIfAbsent");
          Stopping stopping = next.get();
          if (stopping == null || !(store && stopping.where.ordinal() >= Stop.BEFORE_STORE.ordinal()
              || claim && stopping.where.ordinal() < Stop.BEFORE_STORE.ordinal())) {
            return call(real, method, arguments);
          }
          next.set(null);
          Future<?> done = stopping.where == Stop.AFTER_CLAIM || stopping.where == Stop.AFTER_STORE
              ? (Future<?>) call(real, method, arguments) : Future.succeededFuture();
          done.onComplete(any -> stopping.reached.countDown());
          return Promise.promise().future();
        });
  }

  private static Object call(Object real, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The next operation of this kind stops its user; counted down when it has. */
  CountDownLatch stop(Stop where) {
    CountDownLatch reached = new CountDownLatch(1);
    next.set(new Stopping(where, reached));
    return reached;
  }
}
