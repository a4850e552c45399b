// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.UUID;

/** Writes and reads names that are unique in the world. */
public final class Identifiers {

  private Identifiers() {}

  /**
   * Writes a UUID as its 16 bytes (RFC 9562 §4): {@code opaque[16]}.
   *
   * @param out the writer
   * @param value the UUID
   * @param what its name
   */
  public static void writeUUID(ValueWriter out, UUID value, String what) {
    out.int64(out.present(value, what).getMostSignificantBits());
    out.int64(value.getLeastSignificantBits());
  }

  /**
   * Reads a UUID. Any 16 bytes are one.
   *
   * @param in the reader
   * @return the UUID
   */
  public static UUID readUUID(ValueReader in) {
    return new UUID(in.int64(), in.int64());
  }

  /**
   * Writes a URI as its text.
   *
   * @param out the writer
   * @param value the URI
   * @param max the bound of the text in bytes
   * @param what its name
   */
  public static void writeURI(ValueWriter out, URI value, int max, String what) {
    out.string(out.present(value, what).toString(), max, what);
  }

  /**
   * Reads a URI.
   *
   * @param in the reader
   * @param max the bound of its text in bytes
   * @return the URI
   * @throws XdrException if the text is none (RFC 2396, as {@link URI} has it)
   */
  public static URI readURI(ValueReader in, int max) {
    try {
      return new URI(in.string(max));
    } catch (URISyntaxException e) {
      throw new XdrException("A URI is malformed: " + e.getReason());
    }
  }
}
