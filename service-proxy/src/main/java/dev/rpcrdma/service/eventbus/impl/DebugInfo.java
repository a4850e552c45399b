// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.RpcStatusException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;

/**
 * Tells callers of a service why it has failed when it did not mean to: such failures become service exceptions with
 * the codes and the debug info that vertx-service-proxy gives them, as far as that crosses.
 */
public final class DebugInfo {

  /** Of a failed future. */
  private static final int FAILED = -1;
  /** Of what was thrown. */
  private static final int THROWN = 500;
  /** What crosses, see {@link dev.rpcrdma.service.Failures#UNION}. */
  private static final int MAX_BYTES = 512;
  /** What is left of a text that is longer than there is room for. */
  private static final int MAX_TEXT = 100;

  private DebugInfo() {}

  /**
   * A service that says why it has failed.
   *
   * @param type the interface
   * @param service the implementation
   * @param <S> the interface
   * @return to be served in its place
   */
  public static <S> S telling(Class<S> type, S service) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Telling(service)));
  }

  private record Telling(Object service) implements InvocationHandler {

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      Object result;
      try {
        result = method.invoke(service, arguments);
      } catch (InvocationTargetException e) {
        throw told(THROWN, e.getCause());
      }
      return result instanceof Future<?> future
          ? future.recover(cause -> Future.failedFuture(told(FAILED, cause))) : result;
    }
  }

  private static Throwable told(int code, Throwable cause) {
    return cause instanceof ServiceException || cause instanceof RpcStatusException ? cause
        : new ServiceException(code, cause.getMessage(), of(cause));
  }

  private static JsonObject of(Throwable cause) {
    JsonArray frames = new JsonArray();
    JsonObject info = new JsonObject().put("causeName", shortened(cause.getClass().getName()))
        .put("causeMessage", shortened(cause.getMessage())).put("causeStackTrace", frames);
    for (StackTraceElement frame : cause.getStackTrace()) {
      frames.add(frame.toString());
      if (size(info) > MAX_BYTES) {
        frames.remove(frames.size() - 1);
        break;
      }
    }
    return info;
  }

  private static String shortened(String text) {
    return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
  }

  private static int size(JsonObject info) {
    return info.encode().getBytes(StandardCharsets.UTF_8).length;
  }
}
