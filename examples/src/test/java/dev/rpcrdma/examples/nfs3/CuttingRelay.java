// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and a server, and cuts each connection when so many bytes have come back
 * from the server: what it has done then is done, and nobody has told the client.
 */
final class CuttingRelay implements AutoCloseable {

  private final NetServer front;
  private final NetClient back;
  private final int serverPort;
  private final int maxBytesBack;
  private final AtomicInteger cuts = new AtomicInteger();

  CuttingRelay(Vertx vertx, int serverPort, int maxBytesBack) {
    this.serverPort = serverPort;
    this.maxBytesBack = maxBytesBack;
    this.back = vertx.createNetClient();
    this.front = Waiting.await(vertx.createNetServer().connectHandler(this::connected)
        .listen(0, "127.0.0.1"));
  }

  /** Whether it cuts at all; if not, nobody needs it. */
  boolean cutting() {
    return maxBytesBack > 0;
  }

  int port() {
    return front.actualPort();
  }

  int cuts() {
    return cuts.get();
  }

  private void connected(NetSocket client) {
    client.pause();
    back.connect(serverPort, "127.0.0.1").onFailure(e -> client.close()).onSuccess(server -> {
      AtomicInteger bytesBack = new AtomicInteger();
      server.handler(bytes -> pass(bytes, client, server, bytesBack));
      client.handler(server::write);
      server.closeHandler(closed -> client.close());
      client.closeHandler(closed -> server.close());
      client.resume();
    });
  }

  private void pass(Buffer bytes, NetSocket client, NetSocket server, AtomicInteger bytesBack) {
    if (bytesBack.addAndGet(bytes.length()) <= maxBytesBack) {
      client.write(bytes);
      return;
    }
    cuts.incrementAndGet();
    client.close();
    server.close();
  }

  @Override
  public void close() {
    Waiting.await(front.close());
    Waiting.await(back.close());
  }
}
