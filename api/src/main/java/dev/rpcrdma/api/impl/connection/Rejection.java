// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.verbs.ConnectionRejectedException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Reason for which a server rejects a connection, as text in the private data of the rejection. */
public final class Rejection {

  private static final String PREFIX = "vertx-rpcrdma: ";
  /** Characters of a reason that are shown. */
  private static final int LONGEST = 200;

  private Rejection() {}

  /**
   * Writes a reason.
   *
   * @param why in ASCII, for people
   * @param most bytes that a rejection may have
   * @return private data; empty if the reason does not fit
   */
  public static Buffer saying(String why, int most) {
    byte[] text = (PREFIX + why).getBytes(StandardCharsets.US_ASCII);
    return text.length <= most ? Buffer.buffer(text) : Buffer.buffer();
  }

  /**
   * Reads a reason, which may be any bytes of a stranger.
   *
   * @param cause why a connection was not made
   * @return text to append to a message; empty if there is no reason
   */
  public static String reason(Throwable cause) {
    if (!(cause instanceof ConnectionRejectedException rejected) || rejected.privateData() == null) {
      return "";
    }
    Buffer data = rejected.privateData();
    String text = data.getString(0, Math.min(data.length(), PREFIX.length() + LONGEST), "ISO-8859-1");
    return text.startsWith(PREFIX)
        ? ": " + text.substring(PREFIX.length()).replaceAll("(?s)\0.*", "").replaceAll("[^ -~]", "?") : "";
  }
}
