// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A registration of version 2, the portmapper (RFC 1833 §3.1, mapping), which has no netids: nothing of RDMA is there.
 *
 * @param program the program's number, unsigned
 * @param version its version, unsigned
 * @param protocol {@link RpcbindProgram#PROTOCOL_TCP} or {@link RpcbindProgram#PROTOCOL_UDP}, over IPv4
 * @param port 0 to 65535
 */
public record PortMapping(int program, int version, int protocol, int port) {

  /**
   * Reads one.
   *
   * @param reader where from
   * @return the registration
   * @throws XdrException if it is cut short
   */
  public static PortMapping decode(XdrReader reader) {
    return new PortMapping(reader.int32(), reader.int32(), reader.int32(), reader.int32());
  }

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(program).int32(version).int32(protocol).int32(port);
  }

  /**
   * Writes what DUMP answers (RFC 1833 §3.1, pmaplist).
   *
   * @param writer where to
   * @param all in their order
   */
  public static void encodeList(XdrWriter writer, List<PortMapping> all) {
    for (PortMapping each : all) {
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
  public static List<PortMapping> decodeList(XdrReader reader) {
    List<PortMapping> all = new ArrayList<>();
    while (reader.bool()) {
      all.add(decode(reader));
    }
    return all;
  }

  /**
   * What version 2 can say of a registration.
   *
   * @param rpcb the registration
   * @return empty if it is neither TCP nor UDP over IPv4
   */
  public static Optional<PortMapping> of(Rpcb rpcb) {
    int protocol = switch (rpcb.netid()) {
      case Netid.TCP -> RpcbindProgram.PROTOCOL_TCP;
      case Netid.UDP -> RpcbindProgram.PROTOCOL_UDP;
      default -> 0;
    };
    try {
      return protocol == 0 ? Optional.empty() : Optional.of(new PortMapping(rpcb.program(), rpcb.version(), protocol,
          UniversalAddress.parse(rpcb.address()).port()));
    } catch (UniversalAddressException e) {
      return Optional.empty();
    }
  }

  /**
   * The same as later versions say it.
   *
   * @return with the address that stands for all of the host, and no owner; a protocol without a netid has its number
   */
  public Rpcb toRpcb() {
    String netid = switch (protocol) {
      case RpcbindProgram.PROTOCOL_TCP -> Netid.TCP;
      case RpcbindProgram.PROTOCOL_UDP -> Netid.UDP;
      default -> Integer.toUnsignedString(protocol);
    };
    return new Rpcb(program, version, netid, new UniversalAddress(UniversalAddress.ANY, port & 0xffff).toString(), "");
  }
}
