// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.spi.OutgoingCall;
import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrException;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the headers of a call say.
 *
 * @param header its head
 * @param channel who calls; empty if it does not say
 * @param nanosLeft how long the caller waits; {@link Long#MAX_VALUE} if it does not say
 * @param callbacks where the caller serves, if it does
 * @param trace the trace that it is a part of
 * @param application the application's, by lower-case name
 */
record CallHeaders(CallHeader header, String channel, long nanosLeft, Optional<String> callbacks, Metadata trace,
    Map<String, String> application) {

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if they are not those of a call
   */
  static CallHeaders of(MultiMap headers) {
    CallHeader header = new CallHeader(headers.contains(Names.XID) ? number(headers, Names.XID) : 0,
        number(headers, Names.PROGRAM), number(headers, Names.VERSION), number(headers, Names.PROCEDURE),
        credential(headers.get(Names.CREDENTIAL)));
    Map<String, String> application = application(headers);
    return new CallHeaders(header, text(headers, Names.CHANNEL), nanosLeft(headers.get(Names.MILLIS)),
        callbacks(headers.get(Names.CALLBACKS)), trace(headers, application), application);
  }

  /** Which call, among those of all callers. */
  static String id(MultiMap headers) {
    return headers.get(Names.CHANNEL) + ' ' + headers.get(Names.XID);
  }

  /** Who calls, for messages. */
  String caller() {
    return channel.isEmpty() ? "somebody on the event bus" : "the channel " + channel + " on the event bus";
  }

  private static String text(MultiMap headers, String name) {
    return Objects.requireNonNullElse(headers.get(name), "");
  }

  private static int number(MultiMap headers, String name) {
    String value = headers.get(name);
    try {
      if (value != null) {
        return Integer.parseUnsignedInt(value);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException("The header " + name + " of a call is an unsigned number of 32 bits, not "
        + value);
  }

  private static long nanosLeft(String millis) {
    if (millis == null) {
      return Long.MAX_VALUE;
    }
    try {
      return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("The header " + Names.MILLIS + " of a call is a number, not " + millis, e);
    }
  }

  private static Optional<String> callbacks(String address) {
    if (address != null && !address.startsWith(Names.CALLBACKS_PREFIX)) {
      // No message has this end send something to just any address.
      throw new IllegalArgumentException("The header " + Names.CALLBACKS + " of a call begins with "
          + Names.CALLBACKS_PREFIX + ", unlike " + address);
    }
    return Optional.ofNullable(address);
  }

  private static OpaqueAuth credential(String text) {
    if (text == null) {
      return OpaqueAuth.NONE;
    }
    try {
      int space = text.indexOf(' ');
      return new OpaqueAuth(Integer.parseUnsignedInt(text, 0, Math.max(0, space), 10),
          Base64.getDecoder().decode(text.substring(space + 1)));
    } catch (IllegalArgumentException | XdrException e) {
      throw new IllegalArgumentException("The header " + Names.CREDENTIAL
          + " of a call is the number of a flavor and a body in base64", e);
    }
  }

  private static Map<String, String> application(MultiMap headers) {
    Map<String, String> all = new LinkedHashMap<>();
    headers.forEach((name, value) -> {
      if (Names.ofApplication(name)) {
        all.putIfAbsent(name.toLowerCase(Locale.ROOT), value);
      }
    });
    return Collections.unmodifiableMap(all);
  }

  /** Tracers look at headers of the application as well, unless there are too many of them. */
  private static Metadata trace(MultiMap headers, Map<String, String> application) {
    String parent = text(headers, Names.TRACE_PARENT);
    if (!Metadata.isTraceParent(parent)) {
      parent = "";
    }
    for (Map<String, String> seen : List.of(application, Map.<String, String>of())) {
      try {
        return new Metadata(parent, text(headers, Names.TRACE_STATE), seen);
      } catch (IllegalArgumentException e) {
        // The next one is shorter.
      }
    }
    return new Metadata(parent, "", Map.of());
  }

  // Writing

  /**
   * Writes those of a call.
   *
   * @param token goes with calls that have no other one; null for none
   * @param options have headers, which may be empty
   * @throws IllegalArgumentException if the application has a header that is the event bus's own
   */
  static void write(OutgoingCall call, String channel, String token, DeliveryOptions options) {
    String shown = call.request().options().token().orElse(token);
    if (shown != null) {
      options.addHeader(Names.AUTH_TOKEN, shown);
    }
    Metadata metadata = call.metadata();
    metadata.headers().forEach((name, value) -> {
      if (Names.ofVertx(name)) {
        throw new IllegalArgumentException("The header '" + name + "' is one of the event bus's own");
      }
      options.getHeaders().set(name, value);
    });
    options.addHeader(Names.PROGRAM, Integer.toUnsignedString(call.request().program()))
        .addHeader(Names.VERSION, Integer.toUnsignedString(call.request().version()))
        .addHeader(Names.PROCEDURE, Integer.toUnsignedString(call.request().procedure()))
        .addHeader(Names.NAME, ProgramNames.procedure(call.request().programName(), call.request().name()))
        // Rounded up: a call that has any time left has one millisecond.
        .addHeader(Names.MILLIS, Long.toString(TimeUnit.NANOSECONDS.toMillis(call.nanosLeft()) + 1));
    writeId(call, channel, options);
    if (!metadata.traceParent().isEmpty()) {
      options.addHeader(Names.TRACE_PARENT, metadata.traceParent());
    }
    if (!metadata.traceState().isEmpty()) {
      options.addHeader(Names.TRACE_STATE, metadata.traceState());
    }
    OpaqueAuth credential = call.credentials();
    if (credential.flavor() != AuthFlavor.NONE) {
      options.addHeader(Names.CREDENTIAL, Integer.toUnsignedString(credential.flavor()) + ' '
          + Base64.getEncoder().encodeToString(credential.body()));
    }
  }

  /** Writes which call it is. */
  static void writeId(OutgoingCall call, String channel, DeliveryOptions options) {
    options.addHeader(Names.CHANNEL, channel).addHeader(Names.XID, Integer.toUnsignedString(call.xid()));
  }
}
