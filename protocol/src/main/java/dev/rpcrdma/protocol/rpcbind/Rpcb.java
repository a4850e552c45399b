// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A registration of versions 3 and 4 (RFC 1833 §2.1, rpcb). In arguments each text may be empty.
 *
 * @param program the program's number, unsigned
 * @param version its version, unsigned
 * @param netid by which network, such as {@link Netid#RDMA}
 * @param address where: a {@link UniversalAddress} for networks of the Internet, else whatever the network has
 * @param owner whose it is; rpcbind may put a name of its own here
 */
public record Rpcb(int program, int version, String netid, String address, String owner) {

  /** The longest text, in bytes; RFC 1833 has no bound. */
  public static final int MAX_TEXT = 1024;

  /** Program, version, and three lengths. */
  private static final int LEAST_LENGTH = 20;

  /** Checks that no text is missing. */
  public Rpcb {
    Objects.requireNonNull(netid, "netid");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(owner, "owner");
  }

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(program).int32(version).string(netid).string(address).string(owner);
  }

  /** Returns how many bytes it takes in what DUMP answers. */
  int listedLength() {
    XdrWriter writer = new XdrWriter().bool(true);
    encode(writer);
    return writer.toByteArray().length;
  }

  /**
   * Reads one.
   *
   * @param reader where from
   * @return the registration
   * @throws XdrException if it is cut short, or a text is longer than {@link #MAX_TEXT}
   */
  public static Rpcb decode(XdrReader reader) {
    return new Rpcb(reader.int32(), reader.int32(), reader.string(MAX_TEXT), reader.string(MAX_TEXT),
        reader.string(MAX_TEXT));
  }

  /**
   * Writes what DUMP answers (RFC 1833 §2.1, rpcblist_ptr).
   *
   * @param writer where to
   * @param all in their order
   */
  public static void encodeList(XdrWriter writer, List<Rpcb> all) {
    for (Rpcb each : all) {
      writer.bool(true);
      each.encode(writer);
    }
    writer.bool(false);
  }

  /**
   * Reads what DUMP answers.
   *
   * @param reader where from
   * @return all, in their order; no more than the message has room for
   * @throws XdrException if it is something else
   */
  public static List<Rpcb> decodeList(XdrReader reader) {
    List<Rpcb> all = new ArrayList<>();
    while (reader.bool()) {
      if (reader.remaining() < LEAST_LENGTH) {
        throw new XdrException("A list of registrations is cut short after " + all.size());
      }
      all.add(decode(reader));
    }
    return all;
  }
}
