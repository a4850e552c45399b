// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services that make their results in memory of the connection's pool. */
class PooledResultsTest {

  private static final int PROGRAM = 0x20060098;
  private static final int FILL = 1;

  private static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, 1,
      OptionalInt.empty(), Map.of(FILL, new ProcedureBinding("FILL", 0, 1, ReplyBound.of(4))));

  /** Fills memory of the pool, and answers with the beginning of it. */
  private static final class FillService implements RpcService {

    private final List<Integer> xids = new CopyOnWriteArrayList<>();

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      xids.add(call.xid());
      int room = call.arguments().int32();
      int filled = call.arguments().int32();
      call.arguments().end();
      return call.connection().allocate(room).map(memory -> {
        for (int i = 0; i < filled; i++) {
          memory.bytes().put(i, (byte) (i * 7));
        }
        Payload part = memory.slice(0, filled);
        memory.release();
        return writer -> writer.dataItem(part);
      });
    }
  }

  private static RpcRequest<Buffer> fill(int room, int filled) {
    return RpcRequest.to(BINDING, FILL).arguments(w -> w.int32(room).int32(filled))
        .placedResult(Math.max(1, filled))
        .results(r -> Buffer.buffer(r.dataItem(filled).toByteArray())).build();
  }

  @Test
  @DisplayName("memory of the pool goes out as a result, and comes back")
  void results() {
    FillService service = new FillService();
    try (RpcBed bed = new RpcBed("siw")) {
      bed.server.bind(service);
      for (int filled : new int[] {0, 1, 1000, 5000, 300_000}) {
        Buffer result = Waiting.await(bed.channel.call(fill(300_000, filled)));
        assertThat(result.length()).isEqualTo(filled);
        for (int i = 0; i < filled; i++) {
          assertThat(result.getByte(i)).isEqualTo((byte) (i * 7));
        }
      }
      // each call has a number of its own.
      assertThat(service.xids).hasSize(5).doesNotHaveDuplicates();
      // Closing the bed checks that nothing of the pool is in use any more.
    }
  }

  @Test
  void thePoolHasItsLimit() {
    RpcServerOptions server = new RpcServerOptions().setProvider("siw").setMaxPoolBytes(1 << 20);
    RpcClientOptions client = new RpcClientOptions().setProvider("siw").setMaxPoolBytes(1 << 20);
    try (RpcBed bed = new RpcBed(server, client)) {
      RpcConnection connection = Waiting.await(bed.channel.connect());
      Payload all = Waiting.await(connection.allocate(1 << 20));
      assertThat(all.length()).isEqualTo(1 << 20);
      assertThat(Waiting.awaitFailure(connection.allocate((1 << 20) + 1)))
          .isInstanceOf(RpcResourceException.class).hasMessageContaining("maxPoolBytes")
          .hasCauseInstanceOf(VerbsException.class);
      Future<Payload> waits = connection.allocate(1);
      assertThat(waits.isComplete()).isFalse();
      all.release();
      Payload small = Waiting.await(waits);
      assertThat(small.length()).isEqualTo(1);
      small.release();
      assertThatThrownBy(() -> connection.allocate(0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
