// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Client and server over the fabric of this process, which loses, delays and holds back what a test wants. */
@Tag("slow")
class RecoveryOverMemoryTest {

  private static final int CUTS = 200;
  private static final int LARGE = 3 << 20;

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final RpcClientOptions clientOptions = new RpcClientOptions().setReconnectAttempts(0)
      .setReconnectDelay(Duration.ofMillis(5)).setMaxReconnectDelay(Duration.ofMillis(50))
      .setCallTimeout(Duration.ofSeconds(60)).setReplyCacheBytes(16 << 20).setLargeReplyCacheBytes(64 << 20)
      .setDrainTimeout(Duration.ofMillis(500));
  private LedgerService atServer;
  private LedgerService atClient;
  private RpcBed bed;
  private MemoryFabric fabric;

  private void open(JsonObject faults) {
    RpcServerOptions serverOptions = new RpcServerOptions().setReplyCacheBytes(16 << 20)
        .setLargeReplyCacheBytes(64 << 20).setDrainTimeout(Duration.ofMillis(500));
    bed = new RpcBed(serverOptions.setProvider(MemoryProvider.NAME).setProviderOptions(faults),
        clientOptions.setProvider(MemoryProvider.NAME).setProviderOptions(faults));
    fabric = MemoryFabric.of(bed.vertx);
    atServer = new LedgerService(bed.vertx);
    atClient = new LedgerService(bed.vertx);
    bed.server.bind(atServer).connectionHandler(accepted::add);
    bed.channel.bind(atClient).bind(new EchoService());
  }

  @AfterEach
  void close() {
    bed.close();
    assertThat(fabric.connections()).isZero();
  }

  private RpcCaller reverse() {
    Waiting.await(bed.channel.connect());
    return Waiting.next(accepted).peer();
  }

  private long connections() {
    return Waiting.await(bed.channel.snapshot()).connections();
  }

  @Test
  @DisplayName("Two hundred cuts in the middle of messages, under load in both directions; each call is executed once")
  void cuts() {
    open(new JsonObject());
    Random random = new Random(1);
    LedgerLoad forward = new LedgerLoad(bed.channel, 1);
    LedgerLoad reverse = new LedgerLoad(reverse(), 2);
    for (int i = 0; i < CUTS; i++) {
      long before = connections();
      fabric.cutAfter(random.nextInt(100));
      Waiting.until(() -> connections() > before);
    }
    Waiting.await(forward.stop());
    Waiting.await(reverse.stop());
    forward.check(atServer);
    reverse.check(atClient);
    assertThat(Waiting.await(bed.channel.snapshot()).replays()).isPositive();
  }

  @Test
  @DisplayName("Delays and cuts by a seed: each call is executed once, and answered")
  void seeded() {
    open(new JsonObject().put("seed", 11).put("cutProbability", 0.02).put("maxDelayMillis", 2)
        .put("refuseProbability", 0.2));
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      calls.add(bed.channel.call(LedgerService.request(LedgerService.ADD, i, new byte[i * 50])));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(Waiting.await(calls.get(i)).length()).isEqualTo(i * 50);
      assertThat(atServer.executions(i)).as("executions of call %d", i).isEqualTo(1);
    }
    assertThat(connections()).isGreaterThan(1);
  }

  /** Calls again and again, each time cut one message later, until a call is over before its cut is due. */
  private void cutAtEachMessage(int least, Supplier<Future<Buffer>> call, Buffer expected) {
    int cuts = 0;
    while (true) {
      long before = connections();
      fabric.cutAfter(cuts);
      assertThat(Waiting.await(call.get())).as("cut after %d messages", cuts).isEqualTo(expected);
      fabric.cutAfter(Long.MAX_VALUE);
      if (connections() == before) {
        break;
      }
      cuts++;
    }
    assertThat(cuts).isGreaterThanOrEqualTo(least);
  }

  @Test
  @DisplayName("A large argument and a large result, in both directions, cut at each of their messages")
  void largeCalls() {
    open(new JsonObject());
    RpcCaller reverse = reverse();
    Buffer bytes = random(LARGE);
    for (RpcCaller caller : List.of(bed.channel, reverse)) {
      // The call, its Read, the Write of its result, and the reply.
      cutAtEachMessage(4, () -> caller.call(EchoService.echoPlaced(DataItem.of(bytes.getBytes()))), bytes);
    }
  }

  @Test
  @DisplayName("A reply that is pulled, in both directions, cut at each of its messages")
  void pulledReplies() {
    open(new JsonObject());
    RpcCaller reverse = reverse();
    Buffer bytes = random(LARGE);
    for (RpcCaller caller : List.of(bed.channel, reverse)) {
      // The call, the Read of its Position-Zero chunk, the reply, and the Read of that.
      cutAtEachMessage(4, () -> caller.call(EchoService.echoUnbounded(bytes.getBytes())), bytes);
    }
    // The last one of the forward direction was not cut; those of the other direction have cut its connection.
    Waiting.await(bed.channel.call(EchoService.echoUnbounded(bytes.getBytes())));
    assertThat(bed.snapshot().messages().pulledReplies()).isEqualTo(1);
  }

  private static Buffer random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  @Test
  @DisplayName("A partition is found by the signs of life that are missing, and calls end when it is healed, once")
  void partition() {
    clientOptions.setKeepAliveTime(Duration.ofMillis(100)).setKeepAliveTimeout(Duration.ofMillis(100));
    open(new JsonObject().put("closeTimeoutMillis", 100));
    RpcConnection first = Waiting.await(bed.channel.connect());
    Promise<Void> gate = atServer.hold();
    Future<Buffer> call = bed.channel.call(LedgerService.request(LedgerService.ADD, 1, new byte[9]));
    Waiting.until(() -> atServer.size() == 1);
    fabric.partition();
    gate.complete();
    Waiting.await(first.closeFuture());
    assertThat(call.isComplete()).isFalse();
    fabric.heal();
    Waiting.await(call);
    assertThat(atServer.executions(1)).isEqualTo(1);
  }
}
