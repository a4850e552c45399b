// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A server on free ports, and a client of it. */
final class Nfs3Bed implements AutoCloseable {

  final Vertx vertx = Vertx.vertx();
  final Nfs3Server server;
  final RpcClient client = RpcClient.create(vertx);
  final RpcChannel channel;
  final byte[] root;

  Nfs3Bed(Path export) {
    this(export, new RpcServerOptions());
  }

  Nfs3Bed(Path export, RpcServerOptions options) {
    this(new Nfs3Options(export).with(options));
  }

  Nfs3Bed(Nfs3Options options) {
    server = Waiting.await(Nfs3Server.start(vertx, options.at("127.0.0.1", 0, 0)
        .with(new TreeOptions(false, false, TreeOptions.LEAST_HANDLES))));
    channel = client.channel(SocketAddress.inetSocketAddress(server.port(), "127.0.0.1"));
    try (MountClient mount = new MountClient(server.mountPort())) {
      root = mount.mount("/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  <T> T call(RpcRequest<T> request) {
    return Waiting.await(channel.call(request));
  }

  @Override
  public void close() {
    try {
      Waiting.await(client.close());
      Waiting.await(server.close());
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
