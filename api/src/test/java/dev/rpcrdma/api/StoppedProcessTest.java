// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that is stopped for a while, as by the suspension of a machine: what has come meanwhile counts. */
@Tag("slow")
class StoppedProcessTest {

  private final Vertx server = Vertx.vertx();
  private final Vertx client = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
  }

  /** Fails if {@code LoopDeadlines.fire} does not ask whether it is late. */
  @Test
  @DisplayName("Calls whose answers have come while their client was stopped do not time out")
  void answered() {
    RpcServer serving = RpcServer.create(server).bind(new EchoService());
    Waiting.await(serving.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel channel = RpcClient.create(client, new RpcClientOptions().setCallTimeout(Duration.ofMillis(300)))
        .channel(SocketAddress.inetSocketAddress(serving.actualPort(), RpcBed.HOST));
    Waiting.await(channel.connect());
    BlockingQueue<Future<?>> calls = new LinkedBlockingQueue<>();
    client.runOnContext(go -> {
      List<Future<Buffer>> all = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        all.add(channel.call(EchoService.echo(new byte[50_000])));
      }
      // A later turn, when the calls have left.
      client.runOnContext(stopped -> {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1300));
        calls.add(Future.all(all));
      });
    });
    Waiting.await(Waiting.next(calls));
  }
}
