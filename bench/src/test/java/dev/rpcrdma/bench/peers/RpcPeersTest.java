// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.grpc.Server;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.dcache.oncrpc4j.rpc.OncRpcSvc;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each of the other systems echoes, puts and gets, as many at a time as are measured. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class RpcPeersTest {

  private static final int OUTSTANDING = 64;
  private static final int LARGE_OUTSTANDING = 4;

  @Test
  void oncRpc4j() throws Exception {
    OncRpcSvc server = OncRpc4j.serve();
    try (RpcPeer peer = new OncRpc4j(OncRpc4j.port(server))) {
      calls(peer);
    } finally {
      server.stop();
    }
  }

  @Test
  void grpcJava() throws Exception {
    Server server = GrpcJava.serve();
    try (RpcPeer peer = new GrpcJava(server.getPort())) {
      calls(peer);
      assertThat((byte[]) Waiting.await(peer.echo())).hasSize(RpcPeer.SMALL);
      assertThat((byte[]) Waiting.await(peer.put())).isEmpty();
      assertThat((byte[]) Waiting.await(peer.get())).hasSize(RpcPeer.LARGE);
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void vertxGrpc() throws Exception {
    Vertx vertx = Vertx.vertx();
    HttpServer server = VertxGrpc.serve(vertx);
    try (RpcPeer peer = new VertxGrpc(server.actualPort())) {
      calls(peer);
      buffers(peer);
    } finally {
      Waiting.await(vertx.close());
    }
  }

  @Test
  void clusteredEventBus() throws Exception {
    ClusteredEventBus.Member server = ClusteredEventBus.serve();
    try (RpcPeer peer = new ClusteredEventBus(server.port())) {
      calls(peer);
      buffers(peer);
    } finally {
      Waiting.await(server.vertx().close());
    }
  }

  private static void calls(RpcPeer peer) {
    Waiting.await(peer.echo());
    all(peer::echo, OUTSTANDING);
    all(peer::put, LARGE_OUTSTANDING);
    all(peer::get, LARGE_OUTSTANDING);
  }

  private static void all(Supplier<Future<?>> operation, int outstanding) {
    Waiting.await(Future.all(IntStream.range(0, outstanding).mapToObj(i -> operation.get()).toList()));
  }

  private static void buffers(RpcPeer peer) {
    assertThat(((Buffer) Waiting.await(peer.echo())).length()).isEqualTo(RpcPeer.SMALL);
    assertThat(((Buffer) Waiting.await(peer.put())).length()).isZero();
    assertThat(((Buffer) Waiting.await(peer.get())).length()).isEqualTo(RpcPeer.LARGE);
  }
}
