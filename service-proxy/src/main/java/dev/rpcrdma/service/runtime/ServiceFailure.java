// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.impl.DebugInfo;
import dev.rpcrdma.service.impl.WholeText;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.charset.StandardCharsets;

/**
 * The failure arm of a result union.
 *
 * <pre>
 *   struct failure {
 *     int code;
 *     string message&lt;256&gt;;      4 + 256
 *     string debug_info&lt;512&gt;;   4 + 512    JSON text, empty if none
 *   };
 * </pre>
 */
final class ServiceFailure {

  /** The status before a result. */
  static final int SUCCESS = 0;
  /** The status before a failure; a reader takes any other for it as well. */
  static final int FAILED = 1;

  static final int MAX_MESSAGE = 256;
  static final int MAX_DEBUG_INFO = 512;

  private static final String ELLIPSIS = "…";

  private ServiceFailure() {}

  static void write(XdrWriter writer, ServiceException failure) {
    String message = failure.getMessage() == null ? "" : WholeText.of(failure.getMessage());
    writer.int32(FAILED).int32(failure.failureCode()).string(shortened(message))
        .string(WholeText.of(debugInfo(failure.getDebugInfo())));
  }

  static ServiceException read(XdrReader reader) {
    int code = reader.int32();
    String message = reader.string(MAX_MESSAGE);
    String debugInfo = reader.string(MAX_DEBUG_INFO);
    return debugInfo.isEmpty() ? new ServiceException(code, message)
        : new ServiceException(code, message, new JsonObject(debugInfo));
  }

  /** Cuts between characters, visibly. */
  private static String shortened(String message) {
    if (size(message) <= MAX_MESSAGE) {
      return message;
    }
    int room = MAX_MESSAGE - size(ELLIPSIS);
    int end = 0;
    while (true) {
      int next = message.offsetByCodePoints(end, 1);
      room -= size(message.substring(end, next));
      if (room < 0) {
        return message.substring(0, end) + ELLIPSIS;
      }
      end = next;
    }
  }

  private static String debugInfo(JsonObject debugInfo) {
    String text = DebugInfo.text(debugInfo);
    int size = size(text);
    return size <= MAX_DEBUG_INFO ? text
        : new JsonObject().put("droppedBytes", size).put("maxBytes", MAX_DEBUG_INFO).encode();
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
