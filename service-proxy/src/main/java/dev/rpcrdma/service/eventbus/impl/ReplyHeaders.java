// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.OptionalInt;

/** What the headers of a reply say. */
final class ReplyHeaders {

  private ReplyHeaders() {}

  static void write(ReplyHeader header, DeliveryOptions options) {
    if (header instanceof ReplyHeader.AuthError error) {
      options.addHeader(Names.AUTH_STAT, Integer.toString(error.status().ordinal()));
    } else if (header instanceof ReplyHeader.Accepted accepted) {
      writeStatus(accepted.status(), options);
      if (accepted.status() == AcceptStatus.PROG_MISMATCH) {
        options.addHeader(Names.LOW, Integer.toUnsignedString(accepted.low()))
            .addHeader(Names.HIGH, Integer.toUnsignedString(accepted.high()));
      }
    } else {
      throw new IllegalArgumentException("The event bus knows no RPC versions: " + header);
    }
  }

  static void writeStatus(AcceptStatus status, DeliveryOptions options) {
    options.addHeader(Names.ACCEPT_STAT, Integer.toString(status.ordinal()));
  }

  /**
   * Reads the head of a reply.
   *
   * @throws IllegalArgumentException if it is not one of a reply
   */
  static ReplyHeader of(MultiMap headers, int xid) {
    if (headers.contains(Names.AUTH_STAT)) {
      return new ReplyHeader.AuthError(xid,
          AuthStatus.of(number(headers, Names.AUTH_STAT)).orElse(AuthStatus.FAILED));
    }
    int status = number(headers, Names.ACCEPT_STAT);
    AcceptStatus[] all = AcceptStatus.values();
    if (status < 0 || status >= all.length) {
      throw new IllegalArgumentException("There is no accept_stat " + Integer.toUnsignedString(status));
    }
    return all[status] == AcceptStatus.PROG_MISMATCH
        ? new ReplyHeader.Accepted(xid, OpaqueAuth.NONE, all[status], number(headers, Names.LOW),
            number(headers, Names.HIGH))
        : new ReplyHeader.Accepted(xid, all[status]);
  }

  /** How many calls are being executed where the call was refused for that. */
  static OptionalInt maxCalls(MultiMap headers) {
    return headers.contains(Names.MAX_CALLS) ? OptionalInt.of(number(headers, Names.MAX_CALLS)) : OptionalInt.empty();
  }

  private static int number(MultiMap headers, String name) {
    try {
      return Integer.parseUnsignedInt(String.valueOf(headers.get(name)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("The header " + name + " is a number, not " + headers.get(name), e);
    }
  }
}
