// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a caller says beside its call, in a {@link MetadataBlock}: trace context and headers of the application.
 * Immutable, and encoded once, since most callers say the same with each call.
 */
public final class Metadata {

  /** How many bytes of tags fit a block, beside what this library puts into it by itself. */
  public static final int MAX_LENGTH = MetadataBlock.MAX_LENGTH - MetadataBlock.TRAILER_LENGTH
      - MetadataBlock.TIME_LENGTH - MetadataBlock.TAG_HEAD;

  private static final Pattern TRACE_PARENT = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final int TRACE_CONTEXT_LENGTH = 26;
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]{1,255}");
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
  private static final Pattern HALF_PAIR = Pattern.compile("\\p{Cs}");
  private static final HexFormat HEX = HexFormat.of();

  /** Nothing. */
  public static final Metadata NONE = new Metadata("", "", Map.of());

  private final String traceParent;
  private final String traceState;
  private final Map<String, String> headers;
  private final byte[] encoded;

  /**
   * Checks names and values, and copies the headers.
   *
   * @param traceParent as in W3C Trace Context, version 00; empty for none
   * @param traceState as in W3C Trace Context; empty for none
   * @param headers of the application, by name: letters, which become lower case, digits, and the marks that HTTP
   *     allows
   * @throws IllegalArgumentException if one is not as it has to be, or all of it is too long
   */
  public Metadata(String traceParent, String traceState, Map<String, String> headers) {
    if (!traceParent.isEmpty() && !isTraceParent(traceParent)) {
      throw new IllegalArgumentException("No traceparent of version 00: " + traceParent);
    }
    Map<String, String> copy = new LinkedHashMap<>();
    headers.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!NAME.matcher(lower).matches()) {
        throw new IllegalArgumentException("No name of a header: '" + name
            + "'; 1 to 255 letters, digits and marks that HTTP allows");
      }
      if (CONTROL.matcher(value).find()) {
        throw new IllegalArgumentException("The header '" + name + "' has control characters");
      }
      if (HALF_PAIR.matcher(value).find()) {
        throw new IllegalArgumentException("The header '" + name + "' has half of a surrogate pair");
      }
      copy.put(lower, value);
    });
    this.traceParent = traceParent;
    this.traceState = traceState;
    this.headers = Collections.unmodifiableMap(copy);
    int length = length(traceParent, traceState, copy);
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "Headers and trace context of " + length + " bytes; a call has room for " + MAX_LENGTH);
    }
    this.encoded = encode(length);
  }

  /** What a peer has said, which may have room for more. */
  private Metadata(String traceParent, String traceState, Map<String, String> headers, byte[] encoded) {
    this.traceParent = traceParent;
    this.traceState = traceState;
    this.headers = Collections.unmodifiableMap(headers);
    this.encoded = encoded;
  }

  /**
   * Where the call belongs in a trace.
   *
   * @return a traceparent of W3C Trace Context, version 00; empty for none
   */
  public String traceParent() {
    return traceParent;
  }

  /**
   * What tracing systems say besides.
   *
   * @return a tracestate of W3C Trace Context; empty for none
   */
  public String traceState() {
    return traceState;
  }

  /**
   * Headers of the application.
   *
   * @return by lower-case name; cannot be changed
   */
  public Map<String, String> headers() {
    return headers;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metadata that && traceParent.equals(that.traceParent)
        && traceState.equals(that.traceState) && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(traceParent, traceState, headers);
  }

  @Override
  public String toString() {
    return "Metadata[traceParent=" + traceParent + ", traceState=" + traceState + ", headers=" + headers + "]";
  }

  /**
   * Whether a text can be a {@link #traceParent}.
   *
   * @param text any
   * @return true if so
   */
  public static boolean isTraceParent(String text) {
    return TRACE_PARENT.matcher(text).matches();
  }

  private static int length(String traceParent, String traceState, Map<String, String> headers) {
    return (traceParent.isEmpty() ? 0 : MetadataBlock.tagLength(TRACE_CONTEXT_LENGTH))
        + (traceState.isEmpty() ? 0 : MetadataBlock.tagLength(utf8(traceState).length))
        + (headers.isEmpty() ? 0 : MetadataBlock.tagLength(headersLength(headers)));
  }

  private static int headersLength(Map<String, String> headers) {
    return headers.entrySet().stream()
        .mapToInt(header -> 3 + header.getKey().length() + utf8(header.getValue()).length).sum();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // Encoding

  /**
   * Its encoding; that of what was decoded is all that had come.
   *
   * @return tags for a block; nobody changes them
   */
  public byte[] encoded() {
    return encoded;
  }

  /**
   * Has the reply say how long the server took.
   *
   * @param tags for the block of a call
   * @return these, and that
   */
  public static byte[] askingServerTime(byte[] tags) {
    return ByteBuffer.allocate(MetadataBlock.TAG_HEAD + tags.length).putInt(MetadataBlock.SERVER_TIME << 16)
        .put(tags).array();
  }

  private byte[] encode(int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    if (!traceParent.isEmpty()) {
      tag(target, MetadataBlock.TRACE_CONTEXT, HEX.parseHex(traceParent.replace("-", "")));
    }
    if (!traceState.isEmpty()) {
      tag(target, MetadataBlock.TRACE_STATE, utf8(traceState));
    }
    if (!headers.isEmpty()) {
      ByteBuffer all = ByteBuffer.allocate(headersLength(headers));
      headers.forEach((name, text) -> {
        byte[] value = utf8(text);
        all.put((byte) name.length()).put(utf8(name)).putShort((short) value.length).put(value);
      });
      tag(target, MetadataBlock.HEADERS, all.array());
    }
    return target.array();
  }

  private static void tag(ByteBuffer target, int type, byte[] value) {
    int end = target.position() + MetadataBlock.tagLength(value.length);
    target.putInt(type << 16 | value.length).put(value).position(end);
  }

  // Decoding

  /**
   * Reads what a peer has said. What is not as it has to be is left out.
   *
   * @param tags of a sound block
   * @return what there is
   */
  public static Metadata decode(byte[] tags) {
    String traceParent = "";
    String traceState = "";
    Map<String, String> headers = Map.of();
    ByteBuffer source = ByteBuffer.wrap(tags);
    while (source.hasRemaining()) {
      int type = source.getShort() & 0xFFFF;
      int length = source.getShort() & 0xFFFF;
      ByteBuffer value = source.slice(source.position(), length);
      source.position(source.position() + MetadataBlock.tagLength(length) - MetadataBlock.TAG_HEAD);
      if (type == MetadataBlock.TRACE_CONTEXT && traceParent.isEmpty()) {
        traceParent = traceParent(value);
      } else if (type == MetadataBlock.TRACE_STATE && traceState.isEmpty()) {
        traceState = text(value);
      } else if (type == MetadataBlock.HEADERS && headers.isEmpty()) {
        headers = headers(value);
      }
    }
    return new Metadata(traceParent, traceState, headers, tags);
  }

  private static String traceParent(ByteBuffer value) {
    if (value.remaining() != TRACE_CONTEXT_LENGTH || value.get(0) != 0) {
      return "";
    }
    String hex = HEX.formatHex(value.array(), value.arrayOffset(), value.arrayOffset() + TRACE_CONTEXT_LENGTH);
    return hex.substring(0, 2) + '-' + hex.substring(2, 34) + '-' + hex.substring(34, 50) + '-' + hex.substring(50);
  }

  /** Empty if it is none, or has control characters. */
  private static String text(ByteBuffer value) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(value).toString();
      return CONTROL.matcher(text).find() ? "" : text;
    } catch (CharacterCodingException e) {
      return "";
    }
  }

  /** None if one of them is not as it has to be. */
  private static Map<String, String> headers(ByteBuffer value) {
    Map<String, String> headers = new LinkedHashMap<>();
    while (value.hasRemaining()) {
      String name = piece(value, value.get() & 0xFF);
      if (name == null || !NAME.matcher(name).matches() || value.remaining() < 2) {
        return Map.of();
      }
      int length = value.getShort() & 0xFFFF;
      String text = piece(value, length);
      if (text == null || text.isEmpty() && length > 0) {
        return Map.of();
      }
      headers.putIfAbsent(name, text);
    }
    return headers;
  }

  /** Null if there is less. */
  private static String piece(ByteBuffer value, int length) {
    if (length > value.remaining()) {
      return null;
    }
    ByteBuffer piece = value.slice(value.position(), length);
    value.position(value.position() + length);
    return text(piece);
  }
}
