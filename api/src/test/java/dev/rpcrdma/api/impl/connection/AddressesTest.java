// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.api.rpcbind.RpcbindServerOptions;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses of both families, end to end, and names of hosts. */
class AddressesTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static boolean hasLoopback6() throws SocketException {
    return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
        .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
  }

  private RpcConnection call(String listenAt, String connectTo) {
    RpcServer server = RpcServer.create(vertx).bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, listenAt)));
    RpcChannel channel = RpcClient.create(vertx)
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), connectTo));
    Waiting.await(channel.call(EchoService.echoPlaced(DataItem.of(new byte[100_000]))));
    return Waiting.await(channel.connect());
  }

  @ParameterizedTest
  @CsvSource({"::1, ::1", "::, ::1", "::, 127.0.0.1", "localhost, localhost", "::1, ip6-localhost",
      "0.0.0.0, localhost"})
  @DisplayName("Servers and clients meet at addresses and names of both families")
  void families(String listenAt, String connectTo) throws Exception {
    assumeTrue(hasLoopback6() || !(listenAt + connectTo).contains(":"), "This host has no IPv6");
    assumeTrue(!connectTo.startsWith("ip6") || resolves(connectTo), "This host does not know " + connectTo);
    RpcConnection connection = call(listenAt, connectTo);
    assertThat(connection.remoteAddress().hostAddress()).isNotNull();
    assertThat(connection.remoteAddress().port()).isPositive();
  }

  private static boolean resolves(String name) {
    try {
      return InetAddress.getByName(name) != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String linkLocalHere() throws SocketException {
    Optional<String> address = NetworkInterface.networkInterfaces()
        .flatMap(link -> link.inetAddresses()
            .filter(each -> each instanceof Inet6Address && each.isLinkLocalAddress())
            .map(each -> each.getHostAddress().replaceAll("%.*", "") + "%" + link.getName()))
        .findFirst();
    assumeTrue(address.isPresent(), "This host has no link-local address");
    return address.get();
  }

  /** Fails if {@code ZonedAddress.of} leaves the address to the resolver of Vert.x, which asks DNS. */
  @Test
  @DisplayName("A link-local address takes the name of its link")
  void linkLocal() throws SocketException {
    String address = linkLocalHere();
    RpcConnection connection = call(address, address);
    assertThat(connection.remoteAddress().hostAddress()).startsWith("fe80:");
  }

  /** Fails if {@code RecordCall} or {@code RpcbindServerImpl} leaves it to that resolver. */
  @Test
  @DisplayName("An rpcbind has one as well")
  void rpcbindOfLink() throws SocketException {
    String address = linkLocalHere();
    RpcbindServer server = Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, address),
        RpcbindServerOptions.DEFAULT));
    Rpcbind client = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(server.actualPort(), address),
        RpcbindOptions.DEFAULT);
    assertThat(Waiting.await(client.dump())).isNotEmpty();
  }

  @Test
  @DisplayName("A link that is not there is named")
  void unknownLink() {
    RpcChannel channel = RpcClient.create(vertx)
        .channel(SocketAddress.inetSocketAddress(20049, "fe80::1%nolink"));
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOf(RpcConnectException.class).hasMessageContaining("nolink");
  }

  @Test
  @DisplayName("A name that nobody knows fails its call with the name")
  void unknownName() {
    RpcChannel channel = RpcClient.create(vertx)
        .channel(SocketAddress.inetSocketAddress(20049, "no-such-host.invalid"));
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOf(RpcConnectException.class).hasMessageContaining("no-such-host.invalid");
  }
}
