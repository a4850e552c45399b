// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import java.util.Locale;

/** Headers and addresses. */
final class Names {

  /** Of all headers that are not an application's: these have no colon. */
  private static final String PREFIX = "rpcrdma:";
  /** Headers that the event bus, or what is above it, keeps for itself. */
  private static final String OF_VERTX = "__vertx.";

  static final String PROGRAM = PREFIX + "program";
  static final String VERSION = PREFIX + "version";
  static final String PROCEDURE = PREFIX + "procedure";
  static final String NAME = PREFIX + "name";
  static final String CHANNEL = PREFIX + "channel";
  static final String XID = PREFIX + "xid";
  static final String MILLIS = PREFIX + "millis";
  static final String CALLBACKS = PREFIX + "callbacks";
  static final String CREDENTIAL = PREFIX + "credential";
  static final String TRACE_PARENT = PREFIX + "traceparent";
  static final String TRACE_STATE = PREFIX + "tracestate";
  static final String LARGE = PREFIX + "large";
  static final String ACCEPT_STAT = PREFIX + "accept-stat";
  static final String AUTH_STAT = PREFIX + "auth-stat";
  static final String LOW = PREFIX + "low";
  static final String HIGH = PREFIX + "high";
  static final String MAX_CALLS = PREFIX + "max-calls";
  static final String AUTH_TOKEN = "auth-token";

  /** Of the addresses where callers serve. */
  static final String CALLBACKS_PREFIX = PREFIX + "callbacks:";
  private static final String CANCEL_PREFIX = PREFIX + "cancel:";

  private Names() {}

  /** Whether a header is the event bus's own, whatever its case. */
  static boolean ofVertx(String header) {
    return header.regionMatches(true, 0, OF_VERTX, 0, OF_VERTX.length());
  }

  /** Whether a header is one of an application, whatever its case. */
  static boolean ofApplication(String header) {
    return !ofVertx(header) && !header.toLowerCase(Locale.ROOT).startsWith(PREFIX);
  }

  /** Where who serves at an address hears of calls that are given up. */
  static String cancelAddress(String address) {
    return CANCEL_PREFIX + address;
  }
}
