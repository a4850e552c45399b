// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Answers calls of rpcbind: versions 3 and 4 with NULL, SET, UNSET, GETADDR, DUMP and GETTIME, and version 2 with NULL,
 * GETPORT and DUMP. Procedures that call others for the caller are not there: they hide who calls.
 *
 * <p>By RFC 1833 §2.2.1 GETADDR disregards the netid of its argument, and takes that of the network by which it is
 * called; nobody who asks over TCP would ever find RDMA. Here the netid of the argument counts, unless it is empty.
 */
public final class RpcbindResponder {

  private final RpcbindTable table;

  /**
   * Creates one.
   *
   * @param table what it tells, and changes
   */
  public RpcbindResponder(RpcbindTable table) {
    this.table = table;
  }

  /**
   * Executes a call.
   *
   * @param call the message
   * @param caller who makes it
   * @return the reply
   * @throws XdrException if not even its head can be read, so that nobody can be answered
   */
  public byte[] answer(byte[] call, RpcbindCaller caller) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(call));
    CallHeader header = CallHeader.decode(reader);
    Optional<ReplyHeader> refused = refuse(header, caller);
    if (refused.isPresent()) {
      return message(refused.get(), XdrEncoder.VOID);
    }
    try {
      XdrEncoder results = header.version() == RpcbindProgram.VERSION_2 ? portmapper(header.procedure(), reader)
          : rpcbind(header.procedure(), reader, caller);
      return message(new ReplyHeader.Accepted(header.xid(),
          results == null ? AcceptStatus.PROC_UNAVAIL : AcceptStatus.SUCCESS),
          results == null ? XdrEncoder.VOID : results);
    } catch (XdrException e) {
      return message(new ReplyHeader.Accepted(header.xid(), AcceptStatus.GARBAGE_ARGS), XdrEncoder.VOID);
    }
  }

  private static Optional<ReplyHeader> refuse(CallHeader header, RpcbindCaller caller) {
    int xid = header.xid();
    if (header.rpcVersion() != OncRpc.RPC_VERSION) {
      return Optional.of(new ReplyHeader.RpcMismatch(xid));
    }
    if (header.program() != RpcbindProgram.NUMBER) {
      return Optional.of(new ReplyHeader.Accepted(xid, AcceptStatus.PROG_UNAVAIL));
    }
    if (header.version() < RpcbindProgram.VERSION_2 || header.version() > RpcbindProgram.VERSION_4) {
      return Optional.of(new ReplyHeader.Accepted(xid, OpaqueAuth.NONE, AcceptStatus.PROG_MISMATCH,
          RpcbindProgram.VERSION_2, RpcbindProgram.VERSION_4));
    }
    boolean changes = header.procedure() == RpcbindProgram.SET || header.procedure() == RpcbindProgram.UNSET;
    return changes && !caller.maySet() ? Optional.of(new ReplyHeader.AuthError(xid, AuthStatus.TOOWEAK))
        : Optional.empty();
  }

  /** Null if there is no such procedure. */
  private XdrEncoder portmapper(int procedure, XdrReader reader) {
    switch (procedure) {
      case RpcbindProgram.NULL:
        return XdrEncoder.VOID;
      case RpcbindProgram.GETADDR:
        PortMapping asked = PortMapping.decode(reader);
        int port = table.find(asked.program(), asked.version(), asked.toRpcb().netid())
            .flatMap(PortMapping::of).map(PortMapping::port).orElse(0);
        return writer -> writer.int32(port);
      case RpcbindProgram.DUMP:
        return writer -> PortMapping.encodeList(writer,
            table.all().stream().flatMap(each -> PortMapping.of(each).stream()).toList());
      default:
        return null;
    }
  }

  /** Null if there is no such procedure. */
  private XdrEncoder rpcbind(int procedure, XdrReader reader, RpcbindCaller caller) {
    switch (procedure) {
      case RpcbindProgram.NULL:
        return XdrEncoder.VOID;
      case RpcbindProgram.SET:
        boolean set = table.set(Rpcb.decode(reader));
        return writer -> writer.bool(set);
      case RpcbindProgram.UNSET:
        boolean unset = table.unset(Rpcb.decode(reader));
        return writer -> writer.bool(unset);
      case RpcbindProgram.GETADDR:
        String address = address(Rpcb.decode(reader), caller);
        return writer -> writer.string(address);
      case RpcbindProgram.DUMP:
        return writer -> Rpcb.encodeList(writer, table.all());
      case RpcbindProgram.GETTIME:
        return writer -> writer.int32(caller.seconds());
      default:
        return null;
    }
  }

  /** Empty if there is none. */
  private String address(Rpcb asked, RpcbindCaller caller) {
    String netid = asked.netid().isEmpty() ? caller.netid() : asked.netid();
    return table.find(asked.program(), asked.version(), netid).map(found -> merged(found.address(), caller.reached()))
        .orElse("");
  }

  /** A wildcard becomes the address that the caller has reached, if that is of its family. */
  private static String merged(String address, String reached) {
    try {
      UniversalAddress found = UniversalAddress.parse(address);
      UniversalAddress here = new UniversalAddress(reached, found.port());
      return found.isWildcard() && found.isIpv6() == here.isIpv6() ? here.toString() : address;
    } catch (UniversalAddressException e) {
      return address;
    }
  }

  private static byte[] message(ReplyHeader header, XdrEncoder results) {
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    results.encode(writer);
    return writer.toByteArray();
  }
}
