// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import dev.rpcrdma.examples.blobs.HeldBlock;
import dev.rpcrdma.examples.blobs.MemoryBlock;
import dev.rpcrdma.examples.blobs.TransferMeter;
import dev.rpcrdma.examples.blobs.TransferRate;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.Table;
import dev.rpcrdma.tools.command.TemporaryFolder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A blob store and its client: two verticles of this process that talk by the fabric, and a folder for files. */
final class LoopbackDemo {

  private LoopbackDemo() {}

  /** What the client does, on its context. */
  interface Client<T> {

    Future<T> run(Vertx vertx, Path folder, DirectoryBlobStore store, RpcChannel channel);
  }

  /**
   * What came of it.
   *
   * @param result the client's
   * @param rate how fast the same connection is from memory to memory; not measured into a capture
   */
  record Outcome<T>(T result, Optional<TransferRate> rate) {

    /** Prints how fast the connection itself is. */
    void printRate(Table table) {
      rate.ifPresent(measured -> {
        table.rate("MB/s there", measured.putMegabytesPerSecond(), "from memory to memory");
        table.rate("MB/s back", measured.getMegabytesPerSecond(), "from memory to memory");
      });
    }
  }

  static <T> Outcome<T> run(String host, RpcServerOptions serverOptions, RpcClientOptions clientOptions, Client<T> client)
      throws Exception {
    boolean captures = !clientOptions.getCapture().isEmpty();
    try (TemporaryFolder temporary = new TemporaryFolder("rpcrdma-demo");
        RunningVertx running = new RunningVertx(captures)) {
      Path folder = temporary.path();
      Vertx vertx = running.vertx();
      DirectoryBlobStore store = new DirectoryBlobStore(vertx, folder);
      RpcServerVerticle server = new RpcServerVerticle(serverOptions,
          SocketAddress.inetSocketAddress(0, host), made -> made.bind(BlobStore.class, store)
              .bind(MemoryBlock.class, new HeldBlock(Payload.allocate(vertx, MemoryBlock.LENGTH))));
      Futures.await(vertx.deployVerticle(server));
      SocketAddress address = SocketAddress.inetSocketAddress(server.server().actualPort(), host);
      AtomicReference<Outcome<T>> outcome = new AtomicReference<>();
      Futures.await(vertx.deployVerticle(new RpcClientVerticle(clientOptions, address,
          channel -> client.run(vertx, folder, store, channel).compose(result -> (captures
              ? Future.<Optional<TransferRate>>succeededFuture(Optional.empty())
              : TransferMeter.measure(vertx, channel).map(Optional::of))
              .onSuccess(rate -> outcome.set(new Outcome<>(result, rate)))))));
      return outcome.get();
    }
  }
}
