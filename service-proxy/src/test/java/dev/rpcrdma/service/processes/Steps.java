// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.protocol.replicated.ReplyEntry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.AsyncMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Holds one call at a step, when it is told to, until it is told to go on. All other calls pass. */
final class Steps {

  private static final long SEND_MILLIS = 50;

  private final Vertx vertx;
  private final Consumer<Step> reached;
  private final AtomicReference<Step> armed = new AtomicReference<>();
  private volatile Promise<Void> held = Promise.promise();

  /**
   * Steps of one server.
   *
   * @param reached hears of a call that is held
   */
  Steps(Vertx vertx, Consumer<Step> reached) {
    this.vertx = vertx;
    this.reached = reached;
  }

  /** The next call that comes to this step is held. */
  void arm(Step step) {
    held = Promise.promise();
    armed.set(step);
  }

  /** Nothing is held any more. */
  void go() {
    armed.set(null);
    held.tryComplete();
  }

  /** Completes at once, or when the call may go on. */
  Future<Void> at(Step step) {
    Promise<Void> here = held;
    if (!armed.compareAndSet(step, null)) {
      return Future.succeededFuture();
    }
    reached.accept(step);
    return here.future();
  }

  /** A map whose operations come to the steps of claims and stores. */
  @SuppressWarnings("unchecked") // The proxy has this interface alone.
  AsyncMap<String, Buffer> around(AsyncMap<String, Buffer> real) {
    return (AsyncMap<String, Buffer>) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {AsyncMap.class}, (proxy, method, arguments) -> {
          ReplyEntry entry = changed(method, arguments);
          if (entry == null) {
            return call(real, method, arguments);
          }
          return switch (entry.state()) {
            case CLAIMED -> at(Step.BEFORE_CLAIM).compose(go -> call(real, method, arguments))
                .compose(done -> at(Step.AFTER_CLAIM).map(done));
            case ANSWERED -> at(Step.BEFORE_STORE).compose(go -> call(real, method, arguments))
                .compose(done -> at(Step.AFTER_STORE).map(done)).onSuccess(done -> sent());
            case GONE, RELEASED -> call(real, method, arguments);
          };
        });
  }

  /** The answer goes out with this turn of the loop. */
  private void sent() {
    vertx.setTimer(SEND_MILLIS, passed -> at(Step.AFTER_SEND));
  }

  /** What an operation puts into the map; null if it puts nothing. */
  private static ReplyEntry changed(Method method, Object[] arguments) {
    Buffer value = switch (method.getName()) {
      case "putIfAbsent" -> (Buffer) arguments[1];
      case "replaceIfPresent" -> arguments.length == 3 ? (Buffer) arguments[2] : null;
      default -> null;
    };
    return value == null ? null : ReplyEntry.decode(value.getBytes());
  }

  private static Future<Object> call(Object real, Method method, Object[] arguments) {
    try {
      return ((Future<?>) method.invoke(real, arguments)).map(done -> done);
    } catch (InvocationTargetException e) {
      return Future.failedFuture(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
