// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.completion.CompletionChannel;
import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.work.IbverbsWorkers;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What has failed once, or for one device, or behind the end of Vert.x, is not lost for all others and later ones. */
@NeedsRdmaHeaders
@Timeout(60)
class PassingFailuresTest {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  /** Fails if {@code IbverbsDevice.channel} keeps what has failed. */
  @Test
  @DisplayName("A loop whose completion channel could not be made once makes it for the next connection")
  void channelNotMade() {
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      VerbsListener listener = bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      Context loop = bed.context();
      fabric.control().fakeFail("ibv_create_comp_channel", Errno.ENOMEM, 0, 1);
      Peer first = bed.client();
      Waiting.awaitFailure(bed.device().connect(loop, listener.localAddress(), first.domain(), FakeFabric.SHORT,
          first::setUp));
      assertThat(fabric.control().fakeUnfailed("ibv_create_comp_channel")).isZero();
      connect(bed, loop, listener);
    }
  }

  private static Peer connect(VerbsBed bed, Context loop, VerbsListener listener) {
    Peer client = bed.client();
    Waiting.await(bed.device().connect(loop, listener.localAddress(), client.domain(), ConnectionOptions.DEFAULT,
        client::setUp));
    return client;
  }

  /** Fails if {@code IbverbsDevice.channel} keeps what has broken. */
  @Test
  @DisplayName("A completion channel that has failed once ends its connections; later ones of its loop get another one")
  void channelBroken() {
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      Context loop = bed.context();
      VerbsListener listener = bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      Peer first = connect(bed, loop, listener);
      server.awaitEstablished();
      fabric.control().fakeFail("ibv_get_cq_event", Errno.ENOMEM, 0, 1);
      send(first);
      Waiting.until(() -> first.handler().events().stream().anyMatch(RecordingHandler.Disconnected.class::isInstance));
      Peer other = bed.server();
      other.receive(1, Long.BYTES);
      VerbsListener next = bed.listen(request -> bed.accept(request, other, ConnectionOptions.DEFAULT));
      Peer second = connect(bed, loop, next);
      other.awaitEstablished();
      send(second);
      Waiting.until(() -> other.handler().events().stream().anyMatch(RecordingHandler.Completed.class::isInstance));
    }
  }

  private static void send(Peer peer) {
    LocalMemory memory = peer.memory(Long.BYTES);
    peer.post(owned -> owned.postSend(1, memory, 0, Long.BYTES));
  }

  /** Fails if {@code RdmaDevice.list} fails with the first device. */
  @ParameterizedTest
  @ValueSource(strings = {"ibv_query_device", "ibv_query_port"})
  @DisplayName("A device that cannot be asked hides no other one")
  void oneDeviceFails(String function) {
    Vertx vertx = Vertx.vertx();
    fabric.control().fakeFail(function, Errno.ENODEV, 0, 1);
    assertThat(fabric.provider().devices()).extracting(DeviceDescription::name).containsExactly("fakesiw");
    fabric.control().fakeFail(function, Errno.ENODEV, 0, 1);
    VerbsDevice device = fabric.provider().open(vertx, settings("{\"device\": \"fakesiw\"}"));
    Waiting.await(device.close());
    Waiting.await(vertx.close());
  }

  private static DeviceOptions settings(String json) {
    return DeviceOptions.DEFAULT.withSettings(new JsonObject(json));
  }

  static Stream<Throwable> thrown() {
    return Stream.of(new UnsatisfiedLinkError("rdma_resolve_addr"), new NullPointerException(null),
        new StackOverflowError(), new IllegalStateException("why"));
  }

  /** Fails if {@code IbverbsWorkers.outcome} lets an Error through, or takes a message that is null. */
  @ParameterizedTest
  @MethodSource("thrown")
  @DisplayName("Work that throws whatever it likes has an outcome, with a reason")
  void work(Throwable thrown) {
    Vertx vertx = Vertx.vertx();
    IbverbsWorkers workers = new IbverbsWorkers("test", 1);
    Promise<Object> done = Promise.promise();
    workers.run(Contexts.eventLoop(Contexts.newEventLoop(vertx)), () -> {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (Exception) thrown;
    }, done::handle);
    assertThat(Waiting.awaitFailure(done.future())).isInstanceOf(VerbsException.class).hasCause(thrown)
        .message().isNotEqualTo("null").isNotNull();
    workers.end(() -> { });
    Waiting.await(vertx.close());
  }

  /** Fails if {@code CompletionChannel.open} leaves the channel, or hands on what the loop has said. */
  @Test
  @DisplayName("A loop that has ended has no completion channel, and none is left")
  void endedLoop() throws Exception {
    MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    EventLoop loop = group.next();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    long context = RdmaDevice.list(FakeFabric.core()).get(0).context();
    assertThat(Waiting.awaitFailure(CompletionChannel.open(FakeFabric.core(), context, loop)))
        .isInstanceOf(VerbsException.class);
    assertThat(fabric.control().fakeAlive()).isEmpty();
  }

  /** Fails if {@code Startup.begin} lets the refusal of the loop through. */
  @Test
  @DisplayName("Behind the end of Vert.x connecting fails, and the device can still be closed")
  void connectBehindVertx() {
    Vertx vertx = Vertx.vertx();
    VerbsDevice device = fabric.provider().open(vertx, DeviceOptions.DEFAULT);
    Context context = Contexts.newEventLoop(vertx);
    Waiting.await(vertx.close());
    Future<?> connecting = device.connect(context, SocketAddress.inetSocketAddress(1, "127.0.0.1"),
        device.allocateProtectionDomain(), ConnectionOptions.DEFAULT, pair -> null);
    assertThat(Waiting.awaitFailure(connecting)).isInstanceOf(VerbsException.class);
    Waiting.await(device.close());
  }

  /** Fails if {@code IbverbsOptions.of} reads numbers as JsonObject does. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"nudgeMillis\": 4294967297}", "{\"inlineBytes\": 4294967297}",
      "{\"maxPendingConnections\": 1.9}", "{\"device\": 5}", "{\"device\": null}", "{\"nudgeMillis\": null}"})
  @DisplayName("Settings that are no whole number, or too large for one, are refused")
  void settingsOutOfRange(String json) {
    Vertx vertx = Vertx.vertx();
    assertThatThrownBy(() -> fabric.provider().open(vertx, settings(json)))
        .isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT));
    Waiting.await(vertx.close());
  }

  /** Fails if {@code Request.accept} does not look at the loop. */
  @Test
  @DisplayName("A connection cannot be accepted on a loop that has ended, and the request leaves no place taken")
  void acceptOnEndedLoop() {
    Vertx other = Vertx.vertx();
    Context ended = Contexts.newEventLoop(other);
    Waiting.await(other.close());
    try (VerbsBed bed = fabric.bed()) {
      Promise<Object> outcome = Promise.promise();
      VerbsListener listener = bed.listen(request -> {
        request.accept(ended, bed.device().allocateProtectionDomain(), ConnectionOptions.DEFAULT, pair -> null)
            .onFailure(outcome::complete);
        request.reject(Buffer.buffer());
      });
      Future<?> connecting = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      assertThat(Waiting.await(outcome.future())).isInstanceOf(VerbsException.class);
      Waiting.awaitFailure(connecting);
    }
  }

  @Test
  @DisplayName("The longest timeout that a Duration can say is a long one")
  void hugeTimeout() {
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      VerbsListener listener = bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withTimeout(Duration.ofSeconds(Long.MAX_VALUE))));
    }
  }

  /** Fails if {@code IbverbsDevice.listen} does not look at the loop. */
  @Test
  @DisplayName("Listening fails behind the end of Vert.x")
  void listenBehindVertx() {
    Vertx vertx = Vertx.vertx();
    VerbsDevice device = fabric.provider().open(vertx, DeviceOptions.DEFAULT);
    Context context = Contexts.newEventLoop(vertx);
    Waiting.await(vertx.close());
    Future<?> listening = device.listen(context, SocketAddress.inetSocketAddress(0, "127.0.0.1"), request -> { });
    assertThat(Waiting.awaitFailure(listening)).isInstanceOf(VerbsException.class);
    Waiting.await(device.close());
  }

  /** Fails if {@code IbverbsConnection.close} lets through what the loop says. */
  @Test
  @DisplayName("A connection's close completes behind the end of Vert.x, and its device's close frees what it held")
  void closeBehindVertx() {
    VerbsBed bed = fabric.bed();
    VerbsBed.Pair pair = bed.connect();
    Waiting.await(bed.vertx().close());
    Future<Void> closed = pair.client().queuePair().close();
    assertThat(closed.isComplete()).isTrue();
    Waiting.await(bed.device().close());
  }
}
