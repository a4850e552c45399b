// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcNotRegisteredException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.PortMapping;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.protocol.rpcbind.UniversalAddressException;
import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Asks an rpcbind: versions from the newest to the oldest, as far as a question can be asked in them. */
public final class RpcbindImpl implements Rpcbind {

  /**
   * Results, and by which address of the host they have come.
   *
   * @param value the results
   * @param reached an address; empty if it is none of the Internet
   */
  private record Answer<T>(T value, String reached) {}

  private final Vertx vertx;
  private final SocketAddress address;
  private final RpcbindOptions options;

  /** See {@link Rpcbind#of(Vertx, SocketAddress, RpcbindOptions)}. */
  public RpcbindImpl(Vertx vertx, SocketAddress address, RpcbindOptions options) {
    this.vertx = vertx;
    this.address = address;
    this.options = options;
  }

  @Override
  public Future<SocketAddress> locate(int program, int version) {
    return list().map(all -> {
      boolean six = all.reached().indexOf(':') >= 0;
      UniversalAddress found = Stream.of(six ? Netid.RDMA6 : Netid.RDMA, six ? Netid.RDMA : Netid.RDMA6)
          .flatMap(netid -> find(all, program, version, netid).stream())
          // Of another family than that by which the host was reached: nobody knows its address there.
          .filter(each -> !each.isWildcard()).findFirst()
          .orElseThrow(() -> notRegistered(all.value(), program, version, "rdma or rdma6"));
      // By the name that the user knows the host by, whichever of its addresses the program is served at.
      return ServerPlace.resolved(address.host(), found.host(), found.port()).address();
    });
  }

  @Override
  public Future<UniversalAddress> getAddress(int program, int version, String netid) {
    if (!netid.equals(Netid.TCP)) {
      return listed(program, version, netid);
    }
    Rpcb asked = new Rpcb(program, version, netid, "", "");
    return call(RpcbindProgram.VERSION_4, RpcbindProgram.GETADDR, asked::encode, reader -> reader.string(Rpcb.MAX_TEXT))
        .compose(answer -> answer.reached().indexOf(':') < 0 && !answer.value().isEmpty()
            ? Future.succeededFuture(parse(answer.value())) : listed(program, version, netid))
        .recover(e -> isOlder(e) ? listed(program, version, netid) : Future.failedFuture(e));
  }

  private Future<UniversalAddress> listed(int program, int version, String netid) {
    return list().map(all -> find(all, program, version, netid)
        .orElseThrow(() -> notRegistered(all.value(), program, version, netid)));
  }

  private UniversalAddress parse(String text) {
    try {
      return UniversalAddress.parse(text);
    } catch (UniversalAddressException e) {
      throw garbage(e);
    }
  }

  private Optional<UniversalAddress> find(Answer<List<Rpcb>> all, int program, int version, String netid) {
    return all.value().stream().filter(each -> each.program() == program && each.version() == version
        && each.netid().equals(netid)).findFirst().map(each -> {
          UniversalAddress found = parse(each.address());
          boolean same = !all.reached().isEmpty() && found.isIpv6() == all.reached().indexOf(':') >= 0;
          return found.isWildcard() && same ? SocketHosts.at(found, all.reached()) : found;
        });
  }

  private RpcNotRegisteredException notRegistered(List<Rpcb> all, int program, int version, String wanted) {
    List<String> netids = all.stream().filter(each -> each.program() == program && each.version() == version)
        .map(Rpcb::netid).distinct().sorted().toList();
    List<String> versions = all.stream().filter(each -> each.program() == program)
        .map(each -> Integer.toUnsignedString(each.version())).distinct().sorted().toList();
    String there = !netids.isEmpty() ? "registered there for " + String.join(", ", netids) + " only"
        : versions.isEmpty() ? "not registered there"
        : "registered there with version " + String.join(", ", versions) + " only";
    return new RpcNotRegisteredException("The rpcbind at " + address + " knows no "
        + ProgramNames.version(ProgramNames.number(program), program, version) + " for " + wanted + ": it is " + there,
        netids);
  }

  @Override
  public Future<Boolean> register(Rpcb entry) {
    return change(RpcbindProgram.SET, entry);
  }

  @Override
  public Future<Boolean> unregister(Rpcb entry) {
    return change(RpcbindProgram.UNSET, entry);
  }

  private Future<Boolean> change(int procedure, Rpcb entry) {
    return call(RpcbindProgram.VERSION_4, procedure, entry::encode, XdrReader::bool)
        .recover(e -> isOlder(e) ? call(RpcbindProgram.VERSION_3, procedure, entry::encode, XdrReader::bool)
            : Future.failedFuture(e))
        .map(Answer::value);
  }

  @Override
  public Future<List<Rpcb>> dump() {
    return list().map(Answer::value);
  }

  private Future<Answer<List<Rpcb>>> list() {
    return list(RpcbindProgram.VERSION_4);
  }

  private Future<Answer<List<Rpcb>>> list(int version) {
    XdrDecoder<List<Rpcb>> decoder = version > RpcbindProgram.VERSION_2 ? Rpcb::decodeList
        : reader -> PortMapping.decodeList(reader).stream().map(PortMapping::toRpcb).toList();
    return call(version, RpcbindProgram.DUMP, XdrEncoder.VOID, decoder)
        .recover(e -> isOlder(e) && version > RpcbindProgram.VERSION_2 ? list(version - 1) : Future.failedFuture(e));
  }

  /** Whether another version may be asked. */
  private static boolean isOlder(Throwable failure) {
    return failure instanceof RpcRejectedException rejected
        && rejected.acceptStatus().filter(status -> status == AcceptStatus.PROG_MISMATCH).isPresent();
  }

  // One call

  private <T> Future<Answer<T>> call(int version, int procedure, XdrEncoder arguments, XdrDecoder<T> results) {
    int xid = ThreadLocalRandom.current().nextInt();
    XdrWriter writer = new XdrWriter();
    new CallHeader(xid, RpcbindProgram.NUMBER, version, procedure, OpaqueAuth.NONE).encode(writer);
    arguments.encode(writer);
    return RecordCall.make(vertx, address, options, writer.toByteArray())
        .map(reply -> new Answer<>(read(xid, reply.message(), results), reply.reached()));
  }

  private <T> T read(int xid, byte[] message, XdrDecoder<T> results) {
    try {
      XdrReader reader = new XdrReader(ByteBuffer.wrap(message));
      ReplyHeader header = ReplyHeader.decode(reader);
      if (header.xid() != xid) {
        throw new XdrException("The reply to another call");
      }
      if (header instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SUCCESS) {
        T value = results.decode(reader);
        reader.end();
        return value;
      }
      throw refusal(header);
    } catch (XdrException e) {
      throw garbage(e);
    }
  }

  private RpcDecodingException garbage(RuntimeException cause) {
    return new RpcDecodingException("What answers at " + address + " is no rpcbind: " + Causes.message(cause), cause);
  }

  private RpcRejectedException refusal(ReplyHeader header) {
    String who = "The rpcbind at " + address + " refuses: ";
    if (header instanceof ReplyHeader.Accepted accepted) {
      return new RpcRejectedException(accepted.status(), who + accepted.status()
          + (accepted.status() == AcceptStatus.PROG_MISMATCH ? ", it has versions "
          + Integer.toUnsignedString(accepted.low()) + " to " + Integer.toUnsignedString(accepted.high()) : ""), true);
    }
    if (header instanceof ReplyHeader.AuthError denied) {
      return new RpcRejectedException(denied.status(), who + denied.status()
          + "; registrations are taken from the host itself", true);
    }
    return new RpcRejectedException(who + "it has another version of RPC", true);
  }
}
