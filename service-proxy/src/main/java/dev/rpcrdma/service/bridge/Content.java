// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.impl.WholeText;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
  /** Bytes of headers beside the arguments; interceptors and tracers have the other quarter of the metadata. */
  static final int MOST_BESIDE = Metadata.MAX_LENGTH * 3 / 4;
  /** Bytes of a header beside the arguments that has no name and no value. */
  private static final int LEAST_BESIDE = 3;
  static final int LONGEST_CODEC = 255;

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

  /** Returns whether a text has a form in UTF-8, of no more bytes than that. */
  static boolean fits(String text, int longest) {
    return WholeText.isWhole(text) && text.getBytes(StandardCharsets.UTF_8).length <= longest;
  }

  /**
   * Checks that the message can cross. What fails later leaves the sender of a reply to its timeout.
   *
   * @param beside the names of the headers that are beside the arguments
   * @throws ReplyException if the message cannot cross
   */
  void check(Set<String> beside) {
    int number = headers.entries().size() - beside.size();
    if (number > MOST_HEADERS) {
      throw BusFailures.error("The message has " + number + " headers, of which " + MOST_HEADERS
          + " may cross the bridge: send fewer, or send them in the body");
    }
    headers.forEach((name, value) -> {
      if (!WholeText.isWhole(name) || !WholeText.isWhole(value)) {
        throw BusFailures.error("The header '" + name + "' of the message has half of a surrogate pair, which cannot"
            + " cross the bridge");
      }
    });
  }

  /**
   * Headers of a message in two parts.
   *
   * @param options options of a call that carries headers beside its arguments
   * @param beside the names of these headers, as they are in the message
   */
  record Parted(CallOptions options, Set<String> beside) {}

  /**
   * Puts headers beside the arguments of a call, the shortest first, and leaves room for those that interceptors add. A
   * header that has several values, or that metadata cannot hold, stays in the arguments.
   */
  Parted part(CallOptions options) {
    Map<String, String> single = new LinkedHashMap<>();
    int room = MOST_BESIDE;
    for (String name : shortestFirst()) {
      room -= LEAST_BESIDE + name.length() + headers.get(name).getBytes(StandardCharsets.UTF_8).length;
      if (room < 0) {
        break;
      }
      single.put(name, headers.get(name));
    }
    try {
      return new Parted(single.isEmpty() ? options : options.withHeaders(single), single.keySet());
    } catch (IllegalArgumentException e) {
      return partSome(options, single);
    }
  }

  /** Returns the names of the headers that have one value. */
  private List<String> shortestFirst() {
    return headers.names().stream().filter(name -> headers.getAll(name).size() == 1)
        .sorted(Comparator.comparingInt(name -> name.length() + headers.get(name).length())).toList();
  }

  private static Parted partSome(CallOptions options, Map<String, String> single) {
    CallOptions all = options;
    Set<String> beside = new HashSet<>();
    for (Map.Entry<String, String> header : single.entrySet()) {
      try {
        all = all.withHeader(header.getKey(), header.getValue());
        beside.add(header.getKey());
      } catch (IllegalArgumentException e) {
        // The header stays in the arguments.
      }
    }
    return new Parted(all, beside);
  }

  /**
   * Writes the message.
   *
   * @param beside the names of the headers that are beside the arguments
   */
  void write(XdrWriter out, Set<String> beside) {
    List<Map.Entry<String, String>> inside =
        headers.entries().stream().filter(header -> !beside.contains(header.getKey())).toList();
    out.bool(!beside.isEmpty()).int32(inside.size());
    inside.forEach(header -> out.string(header.getKey()).string(header.getValue()));
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
