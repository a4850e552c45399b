// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.time.Instant;
import java.util.Optional;

/**
 * What shall become of a time (RFC 1813 §2.5, set_atime and set_mtime).
 *
 * @param kind what
 * @param time the client's time; empty unless it is to be set to that
 */
public record NewTime(Kind kind, Optional<Instant> time) {

  /** time_how; the ordinal is the wire's value. */
  public enum Kind {
    /** It stays. */
    KEEP,
    /** It becomes what the server's clock says. */
    SERVER,
    /** It becomes what the client says. */
    CLIENT
  }

  /** It stays. */
  public static final NewTime KEEP = new NewTime(Kind.KEEP, Optional.empty());
  /** It becomes what the server's clock says. */
  public static final NewTime SERVER = new NewTime(Kind.SERVER, Optional.empty());

  static NewTime decode(XdrReader reader) {
    int kind = reader.int32();
    return switch (kind) {
      case 0 -> KEEP;
      case 1 -> SERVER;
      case 2 -> new NewTime(Kind.CLIENT, Optional.of(NfsTime.decode(reader)));
      default -> throw new XdrException("No such time_how: " + Integer.toUnsignedString(kind));
    };
  }

  /**
   * The time to be set.
   *
   * @param now what the server's clock says
   * @return empty if it stays
   */
  public Optional<Instant> at(Instant now) {
    return kind == Kind.SERVER ? Optional.of(now) : time;
  }
}
