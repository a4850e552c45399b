// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A call with a large argument and a large result, cut somewhere on its way, while all other credits are used
 * for small calls again and again.
 */
@Tag("slow")
class LargeCallsTest {

  /** How often, each time cut somewhere else. */
  private static final int TIMES = Integer.getInteger("rpcrdma.largeCuts", 5);
  private static final int SIZE = 32 << 20;
  private static final int SMALL_CALLS = 63;
  private static final int PROGRAM = 0x20060097;
  private static final int LARGE = 1;
  private static final int SMALL = 2;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, 1, OptionalInt.empty(),
      Map.of(LARGE, new ProcedureBinding("LARGE", 1, 1, ReplyBound.of(8)),
          SMALL, new ProcedureBinding("SMALL", 0, 0, ReplyBound.of(8))));

  private final Vertx vertx = Vertx.vertx();
  private final Payload large = Payload.allocate(vertx, SIZE);
  private final Payload target = Payload.allocate(vertx, SIZE);
  private final Map<Long, AtomicInteger> executions = new ConcurrentHashMap<>();
  private final RpcClientOptions clientOptions = new RpcClientOptions().setReconnectAttempts(0)
      .setReconnectDelay(Duration.ofMillis(5)).setMaxReconnectDelay(Duration.ofMillis(50))
      .setCallTimeout(Duration.ofSeconds(60));
  private DeviceWatch watch;
  private RpcServer server;
  private RpcClient client;
  private CuttingProxy proxy;

  @BeforeEach
  void open() {
    watch = new DeviceWatch(vertx, clientOptions);
    for (int i = 0; i < SIZE; i += 4096) {
      large.bytes().putInt(i, i);
    }
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
    Waiting.await(proxy.close());
    large.release();
    target.release();
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }

  private RpcChannel serve(RpcServerOptions options) {
    server = RpcServer.builder(vertx).with(options).build().bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        long number = call.arguments().int64();
        executions.computeIfAbsent(number, n -> new AtomicInteger()).incrementAndGet();
        if (call.procedure() == SMALL) {
          return Future.succeededFuture(writer -> writer.int64(number));
        }
        int length = call.arguments().dataItem(SIZE).length();
        return Future.succeededFuture(writer -> writer.int32(length).dataItem(large.retain()));
      }
    });
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    proxy = new CuttingProxy(vertx, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(proxy.start());
    client = RpcClient.builder(vertx).with(clientOptions).build();
    RpcChannel channel = client.channel(proxy.address());
    Waiting.await(channel.connect());
    return channel;
  }

  /** Its result goes into memory that is named, or is pulled. */
  private Future<Integer> large(RpcChannel channel, long number, boolean pulled) {
    RpcRequest.Builder<Void> request = RpcRequest.to(BINDING, LARGE)
        .arguments(writer -> writer.int64(number).dataItem(large));
    return channel.call((pulled ? request : request.placedResult(target)).results(reader -> {
      int length = reader.int32();
      DataItem item = reader.dataItem(SIZE);
      assertThat(item.length()).isEqualTo(SIZE);
      assertThat(item.bytes().getInt(SIZE - 4096)).isEqualTo(SIZE - 4096);
      return length;
    }).build());
  }

  private Future<Long> small(RpcChannel channel, long number) {
    return channel.call(RpcRequest.to(BINDING, SMALL).arguments(writer -> writer.int64(number))
        .results(reader -> reader.int64()).build());
  }

  @ParameterizedTest(name = "replies of {0} bytes are kept; pulled: {1}")
  @CsvSource({"1048576, false", "67108864, false", "67108864, true"})
  @DisplayName("R-159: a call of 32 MiB there and back, cut at each step among 63 others, is executed once; and"
      + " answered, if its reply may be kept")
  void cutAnywhere(long kept, boolean pulled) {
    RpcChannel channel = serve(new RpcServerOptions().setReplyCacheBytes(pulled ? 1 << 20 : kept)
        .setLargeReplyCacheBytes(pulled ? kept : 0));
    AtomicInteger made = new AtomicInteger(1_000_000);
    // Each credit but one is always in use.
    CallLoops traffic = new CallLoops(SMALL_CALLS, () -> small(channel, made.getAndIncrement()));
    for (int i = 0; i < TIMES; i++) {
      target.bytes().putInt(0, -1).putInt(SIZE - 4096, -1);
      long before = Waiting.await(channel.snapshot()).connections();
      Future<Integer> call = large(channel, i, pulled);
      proxy.cutAfter(2L * SIZE * (2 * i + 1) / (2 * TIMES));
      Future<Integer> settled = call.otherwise(e -> {
        assertThat(e).isInstanceOfSatisfying(RpcTransportException.class,
            gone -> assertThat(gone.maybeExecuted()).isTrue());
        return -1;
      });
      int length = Waiting.await(settled);
      if (kept >= 2L * SIZE) {
        assertThat(length).as("cut %d of %d", i, TIMES).isEqualTo(SIZE);
      }
      Waiting.until(() -> Waiting.await(channel.snapshot()).connections() > before);
      assertThat(executions.get((long) i)).as("cut %d of %d", i, TIMES).hasValue(1);
    }
    Waiting.await(traffic.stop());
    assertThat(executions.values()).as("executions of each small call").allMatch(count -> count.get() == 1);
  }
}
