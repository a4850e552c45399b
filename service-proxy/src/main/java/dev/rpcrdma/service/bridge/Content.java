// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is in a message: its headers, and its body in the form of a codec.
 *
 * @param headers without those that are Vert.x's own
 * @param codec the name of what the body is
 * @param body its bytes
 */
record Content(MultiMap headers, String codec, Buffer body) {

  /** What headers of the event bus's own begin with; they mean something on one bus alone. */
  private static final String OWN = "__vertx.";
  private static final int MOST_HEADERS = 1024;
  private static final int LEAST_HEADER = 8;
  private static final int LONGEST_CODEC = 255;

  /** The headers that may cross. */
  static MultiMap crossing(MultiMap headers) {
    MultiMap crossing = MultiMap.caseInsensitiveMultiMap();
    headers.forEach((name, value) -> {
      if (!name.toLowerCase(Locale.ROOT).startsWith(OWN)) {
        crossing.add(name, value);
      }
    });
    return crossing;
  }

  /** Options of a call that carry the headers beside its arguments; empty if they do not fit there. */
  Optional<CallOptions> apart(CallOptions options) {
    if (headers.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> single = new LinkedHashMap<>();
    headers.forEach((name, value) -> single.put(name.toLowerCase(Locale.ROOT), value));
    if (single.size() < headers.entries().size()) {
      // One name has several values.
      return Optional.empty();
    }
    try {
      return Optional.of(options.withHeaders(single));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes it.
   *
   * @param apart whether the headers are beside the arguments
   */
  void write(XdrWriter out, boolean apart) {
    out.bool(apart);
    if (apart) {
      out.int32(0);
    } else {
      out.int32(headers.entries().size());
      headers.forEach((name, value) -> out.string(name).string(value));
    }
    out.string(codec).opaque(body.length(), body::getBytes);
  }

  /**
   * Reads it.
   *
   * @param beside what came beside the arguments
   * @throws HeadersMissingException if the headers should have come there, and have not
   */
  static Content read(XdrReader in, Map<String, String> beside) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    boolean apart = in.bool();
    if (apart && beside.isEmpty()) {
      throw new HeadersMissingException();
    }
    if (apart) {
      headers.addAll(beside);
    }
    int count = in.count(MOST_HEADERS, LEAST_HEADER);
    for (int i = 0; i < count; i++) {
      headers.add(in.string(Integer.MAX_VALUE), in.string(Integer.MAX_VALUE));
    }
    return new Content(crossing(headers), in.string(LONGEST_CODEC), in.opaque(Integer.MAX_VALUE,
        (array, offset, length) -> Buffer.buffer(length).setBytes(0, array, offset, length)));
  }

  /** A connection that was made without metadata has lost headers on the way. */
  static final class HeadersMissingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HeadersMissingException() {
      super("The headers of a message have not come with it: both ends of a bridge need the option metadata", null,
          false, false);
    }
  }
}
