// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import dev.rpcrdma.api.impl.rpcbind.RpcbindImpl;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.List;

/**
 * The rpcbind of a host (RFC 1833), asked over TCP, each time by a connection of its own. Version 4 is spoken, 3 to who
 * does not know it, and 2 to who knows no other as far as that can say something. Holds nothing, and may be used from
 * any thread.
 *
 * <p>What is asked fails with {@link dev.rpcrdma.api.RpcConnectException} if nobody listens there, {@link
 * dev.rpcrdma.api.RpcTimeoutException} if there is no answer in time, {@link
 * dev.rpcrdma.api.RpcConnectionLostException} if the connection ends before, {@link
 * dev.rpcrdma.api.RpcRejectedException} if the host refuses, and {@link dev.rpcrdma.api.RpcDecodingException} if the
 * answer is none of rpcbind, or too long.
 *
 * <pre>{@code
 * Rpcbind.of(vertx, "files.example.com").locate(100003, 3)
 *     .onSuccess(address -> client.channel(address));
 * }</pre>
 */
public interface Rpcbind {

  /**
   * That of a host, at port 111.
   *
   * @param vertx by which it is asked
   * @param host its name or address
   * @return asked when something is wanted of it
   */
  static Rpcbind of(Vertx vertx, String host) {
    return of(vertx, SocketAddress.inetSocketAddress(RpcbindProgram.PORT, host), RpcbindOptions.DEFAULT);
  }

  /**
   * That at an address.
   *
   * @param vertx by which it is asked
   * @param address where it listens
   * @param options how it is asked
   * @return asked when something is wanted of it
   */
  static Rpcbind of(Vertx vertx, SocketAddress address, RpcbindOptions options) {
    return new RpcbindImpl(vertx, address, options);
  }

  /**
   * Where a version of a program listens for RDMA: as rdma if the host was reached by IPv4, or as rdma6 if by IPv6; if
   * there is no such registration, as the other one.
   *
   * @param program the program's number, unsigned
   * @param version its version, unsigned
   * @return an address and a port to connect to; fails with {@link dev.rpcrdma.api.RpcNotRegisteredException} if there
   *     is none, which names the netids that there are
   */
  Future<SocketAddress> locate(int program, int version);

  /**
   * Where a version of a program listens. A registration that stands for all addresses of the host becomes that by
   * which it was reached, if it is of the same family.
   *
   * <p>By RFC 1833 §2.2.1 GETADDR answers for the network by which it is called, whatever was asked for, and Debian's
   * rpcbind does so. So that is asked for the netid of TCP alone, and DUMP is looked through for all others.
   *
   * @param program the program's number, unsigned
   * @param version its version, unsigned
   * @param netid by which network, one of the Internet
   * @return the address; fails with {@link dev.rpcrdma.api.RpcNotRegisteredException} if there is none, which names the
   *     netids that there are
   */
  Future<UniversalAddress> getAddress(int program, int version, String netid);

  /**
   * Registers. A host takes that from itself alone.
   *
   * @param entry what, for which netid, and where
   * @return whether it is registered now; false if it is already, with another address, or is not taken for another
   *     reason of the host's
   */
  Future<Boolean> register(Rpcb entry);

  /**
   * Takes a registration back.
   *
   * @param entry what was registered; the address does not count, and an empty netid stands for all
   * @return whether there is none any more; false if it is somebody else's
   */
  Future<Boolean> unregister(Rpcb entry);

  /**
   * All that is registered. What version 2 says has no owners, and nothing of RDMA.
   *
   * @return in the order of the host
   */
  Future<List<Rpcb>> dump();
}
