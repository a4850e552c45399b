// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;

/**
 * A server with an {@link EchoService} and a client, over a provider by name. Closing it checks that
 * nothing is left behind.
 */
final class RpcBed implements AutoCloseable {

  /** Where servers listen: in the lab's VM an address of the device. */
  static final String HOST = System.getProperty("rpcrdma.host", "127.0.0.1");

  final Vertx vertx = Vertx.vertx();
  final EchoService service = new EchoService();
  final DeviceWatch watch;
  final RpcServer server;
  final RpcClient client;
  final RpcChannel channel;

  RpcBed(String provider) {
    this(new RpcServerOptions().setProvider(provider), new RpcClientOptions().setProvider(provider));
  }

  RpcBed(RpcServerOptions serverOptions, RpcClientOptions clientOptions) {
    watch = new DeviceWatch(vertx, clientOptions);
    server = RpcServer.builder(vertx).with(serverOptions).build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
    client = RpcClient.builder(vertx).with(clientOptions).build();
    channel = client.channel(address());
  }

  SocketAddress address() {
    return SocketAddress.inetSocketAddress(server.actualPort(), HOST);
  }

  ConnectionSnapshot snapshot() {
    return Waiting.await(channel.connect().compose(RpcConnection::snapshot));
  }

  @Override
  public void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }
}
