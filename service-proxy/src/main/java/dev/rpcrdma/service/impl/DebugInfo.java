// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.impl;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Tells callers of a service why it has failed when it did not mean to: such failures become service exceptions with
 * the codes and the debug info that vertx-service-proxy gives them, as far as that crosses.
 */
public final class DebugInfo {

  /** Attribute of a call whose caller gets debug info. */
  private static final String INCLUDED = "dev.rpcrdma.includeDebugInfo";
  /** Bytes that cross, see {@link dev.rpcrdma.service.Failures#UNION}. */
  private static final int MAX_BYTES = 512;
  /** Characters that remain of a text for which there is no room. */
  private static final int MAX_TEXT = 100;

  private DebugInfo() {}

  /**
   * Has a generated service include debug info in its failures.
   *
   * @param service the generated service
   * @return the service to bind in its place
   */
  public static RpcService including(RpcService service) {
    return new Including(service);
  }

  private record Including(RpcService service) implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return service.binding();
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      call.attributes().put(INCLUDED, true);
      return service.handle(call);
    }

    @Override
    public RpcAccess access(int procedure) {
      return service.access(procedure);
    }
  }

  /**
   * Returns whether the caller of a call gets debug info.
   *
   * @param call the call
   * @return false unless the call came by a service of {@link #including}
   */
  public static boolean isIncluded(RpcCall call) {
    return call.attributes().containsKey(INCLUDED);
  }

  /**
   * Makes a failure with debug info.
   *
   * @param code the code of the failure
   * @param cause the exception that the service failed with; application code, whose methods may throw
   * @return the failure; empty if the exception throws when it is asked
   */
  public static Optional<ServiceException> failure(int code, Throwable cause) {
    try {
      return Optional.of(new ServiceException(code, cause.getMessage(), of(cause)));
    } catch (Throwable e) {
      return Optional.empty();
    }
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

  /**
   * Writes debug info as text.
   *
   * @param info values of the application, which may have no form in JSON
   * @return JSON; empty if there is no debug info, or if it cannot be written
   */
  public static String text(JsonObject info) {
    try {
      return info == null || info.isEmpty() ? "" : info.encode();
    } catch (RuntimeException | LinkageError e) {
      return "";
    }
  }
}
