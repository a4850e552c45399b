// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.time.Instant;

/** Points in time (RFC 1813 §2.5, nfstime3): unsigned seconds since 1970, and nanoseconds. */
public final class NfsTime {

  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private NfsTime() {}

  /**
   * Reads one.
   *
   * @param reader where from
   * @return from 1970 to 2106
   */
  public static Instant decode(XdrReader reader) {
    long seconds = Integer.toUnsignedLong(reader.int32());
    long nanos = Integer.toUnsignedLong(reader.int32());
    // More than a second's worth has no meaning; what it may mean is not for a codec to refuse.
    return Instant.ofEpochSecond(seconds, nanos % NANOS_PER_SECOND);
  }

  /**
   * Writes one; years that the wire cannot express wrap, as everywhere else.
   *
   * @param time a point in time
   * @param writer where to
   */
  public static void encode(Instant time, XdrWriter writer) {
    writer.int32((int) time.getEpochSecond()).int32(time.getNano());
  }
}
