// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.PendingReplies;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls of several connections whose replies together have a bound, answered by hand. */
class PendingRepliesTest {

  private static final int ANY = 1;
  private static final int SHORT = 2;
  /** Room for two replies of which nobody knows the length. */
  private static final int MAX = 128 << 10;
  private static final XdrEncoder LONG = writer -> writer.opaque(new byte[60_000]);
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x200600A1, 1, OptionalInt.empty(),
      Map.of(ANY, new ProcedureBinding("ANY", 0, 0, ReplyBound.UNPREDICTABLE),
          SHORT, new ProcedureBinding("SHORT", 0, 0, ReplyBound.of(4))));

  private final Vertx vertx = Vertx.vertx();
  private final List<Promise<XdrEncoder>> inService = new CopyOnWriteArrayList<>();
  private final RpcServerOptions options = new RpcServerOptions().setMaxPendingReplyBytes(MAX)
      .setDrainTimeout(Duration.ofMillis(300));
  private final DeviceWatch watch = new DeviceWatch(vertx, options);
  private final RpcClient client = RpcClient.create(vertx,
      new RpcClientOptions().setDrainTimeout(Duration.ofMillis(300)));
  private final RpcService service = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      if (call.procedure() == SHORT) {
        return Future.succeededFuture(writer -> writer.int32(1));
      }
      Promise<XdrEncoder> promise = Promise.promise();
      inService.add(promise);
      return promise.future();
    }
  };
  private final RpcServer server = serve();

  private RpcServer serve() {
    RpcServer made = RpcServer.create(vertx, options).bind(service);
    Waiting.await(made.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return made;
  }

  @AfterEach
  void close() {
    answerAll();
    Waiting.await(client.close());
    Waiting.await(server.close());
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }

  /** Also those that get in meanwhile. */
  private void answerAll() {
    Waiting.until(() -> {
      inService.forEach(call -> call.tryComplete(LONG));
      return pending().bytes() == 0 && pending().callsWaiting() == 0;
    });
  }

  /** A channel of its own, so a connection of its own. */
  private RpcChannel channel() {
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private static Future<Integer> call(RpcCaller caller) {
    return call(caller, CallOptions.DEFAULT);
  }

  private static Future<Integer> call(RpcCaller caller, CallOptions options) {
    return caller.call(RpcRequest.to(BINDING, ANY).options(options).arguments(writer -> writer.opaque(new byte[10_000]))
        .results(reader -> reader.opaque(1 << 20).length).build());
  }

  private PendingReplies pending() {
    return Waiting.await(server.snapshot()).pendingReplies();
  }

  /** Two calls in service, and one that waits. */
  private Future<Integer> crowd(RpcCaller caller, CallOptions options) {
    fill();
    Future<Integer> third = call(caller, options);
    Waiting.until(() -> pending().callsWaiting() == 1);
    return third;
  }

  /** As many calls in service as there is room for. */
  private void fill() {
    call(channel());
    call(channel());
    Waiting.until(() -> inService.size() == 2);
  }

  /** The call that waited is gone, and its service has not got it when there is room. */
  private void assertNeverServed() {
    Waiting.until(() -> pending().callsWaiting() == 0);
    answer(0);
    answer(1);
    Waiting.until(() -> pending().bytes() == 0);
    assertThat(inService).hasSize(2);
  }

  private void answer(int call) {
    inService.get(call).complete(LONG);
  }

  @Test
  @DisplayName("Fails if services get calls whose replies have no room, or do not when there is room again")
  void waitsItsTurn() {
    Future<Integer> third = crowd(channel(), CallOptions.DEFAULT);
    assertThat(pending()).isEqualTo(new PendingReplies(MAX, MAX, 1));
    assertThat(inService).hasSize(2);
    answer(0);
    Waiting.until(() -> inService.size() == 3);
    answer(1);
    answer(2);
    assertThat(Waiting.await(third)).isEqualTo(60_000);
    Waiting.until(() -> pending().bytes() == 0);
    assertThat(pending().callsWaiting()).isZero();
  }

  @Test
  @DisplayName("Fails if calls with short replies wait for those with long ones")
  void shortOnes() {
    RpcChannel channel = channel();
    crowd(channel, CallOptions.DEFAULT);
    Waiting.await(channel.call(RpcRequest.to(BINDING, SHORT).results(reader -> reader.int32()).build()));
    assertThat(pending().callsWaiting()).isEqualTo(1);
  }

  @Test
  @DisplayName("Fails if a service gets a call that its caller has given up while it waited")
  void cancelled() {
    Cancellation cancellation = Cancellation.create();
    Future<Integer> third = crowd(channel(), CallOptions.DEFAULT.withCancellation(cancellation));
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(third)).isInstanceOf(RpcCancelledException.class);
    assertNeverServed();
  }

  @Test
  @DisplayName("Fails if a service gets a call that waited longer than its caller does")
  void outOfTime() {
    fill();
    Future<Integer> third = call(channel(), CallOptions.DEFAULT.withTimeout(Duration.ofMillis(100)));
    assertThat(Waiting.awaitFailure(third)).isInstanceOf(RpcTimeoutException.class);
    assertNeverServed();
  }

  @Test
  @DisplayName("Fails if a call in service keeps its room when nobody waits for it any more")
  void givenUpInService() {
    Cancellation cancellation = Cancellation.create();
    call(channel(), CallOptions.DEFAULT.withCancellation(cancellation));
    call(channel());
    Waiting.until(() -> inService.size() == 2);
    cancellation.cancel();
    Waiting.until(() -> pending().bytes() == MAX / 2);
    call(channel());
    Waiting.until(() -> inService.size() == 3);
  }

  @Test
  @DisplayName("Fails if the reply that comes when nobody waits for it any more stays counted")
  void lateReply() {
    Cancellation cancellation = Cancellation.create();
    call(channel(), CallOptions.DEFAULT.withCancellation(cancellation));
    Waiting.until(() -> inService.size() == 1);
    cancellation.cancel();
    Waiting.until(() -> pending().bytes() == 0);
    answer(0);
    Future<Integer> next = call(channel());
    Waiting.until(() -> inService.size() == 2);
    answer(1);
    assertThat(Waiting.await(next)).isEqualTo(60_000);
    Waiting.until(() -> pending().bytes() == 0);
  }

  @Test
  @DisplayName("Fails if a connection that is lost keeps room, or has its waiting calls served twice")
  void lostConnection() {
    RpcChannel channel = channel();
    crowd(channel, CallOptions.DEFAULT);
    Waiting.await(Waiting.await(channel.connect()).close());
    answerAll();
    assertThat(inService.size()).isEqualTo(3);
  }

  @Test
  @DisplayName("Fails if calls wait for ever that those in service wait for")
  void progress() {
    Future<Integer> third = crowd(channel(), CallOptions.DEFAULT);
    Waiting.until(() -> inService.size() == 3);
    answer(2);
    assertThat(Waiting.await(third)).isEqualTo(60_000);
  }

  @Test
  @DisplayName("Fails if a service that fails, or makes results that cannot be encoded, keeps room")
  void failures() {
    Future<Integer> one = call(channel());
    Waiting.until(() -> inService.size() == 1);
    inService.get(0).fail(new IllegalStateException("on purpose"));
    assertThat(Waiting.awaitFailure(one)).isInstanceOf(RpcRejectedException.class);
    Waiting.until(() -> pending().bytes() == 0);
    Future<Integer> two = call(channel());
    Waiting.until(() -> inService.size() == 2);
    inService.get(1).complete(writer -> {
      throw new IllegalStateException("on purpose");
    });
    assertThat(Waiting.awaitFailure(two)).isInstanceOf(RpcRejectedException.class);
    Waiting.until(() -> pending().bytes() == 0);
  }

  @Test
  @DisplayName("Fails if a reply that was expected to be short does not count when it is long")
  void unexpected() {
    Future<Integer> one = call(channel());
    Waiting.until(() -> inService.size() == 1);
    inService.get(0).complete(writer -> writer.opaque(new byte[8]));
    Waiting.await(one);
    // From now on replies are expected to be short: no room is taken until they are made.
    RpcChannel channel = channel();
    Future<Integer> two = call(channel);
    Waiting.until(() -> inService.size() == 2);
    assertThat(pending().bytes()).isZero();
    answer(1);
    assertThat(Waiting.await(two)).isEqualTo(60_000);
    Waiting.until(() -> pending().bytes() == 0);
    call(channel);
    Waiting.until(() -> inService.size() == 3);
    assertThat(pending().bytes()).isEqualTo(60_004);
  }

  /** Fails if {@code ServedCall.encode} takes no room for a reply that is longer than expected. */
  @Test
  @DisplayName("Fails if such a reply does not count while its client does not pull it")
  void unexpectedAndHeld() {
    CuttingProxy proxy =
        new CuttingProxy(vertx, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(proxy.start());
    Future<Integer> one = call(channel());
    Waiting.until(() -> inService.size() == 1);
    inService.get(0).complete(writer -> writer.opaque(new byte[8]));
    Waiting.await(one);
    call(client.channel(proxy.address()));
    Waiting.until(() -> inService.size() == 2);
    assertThat(pending().bytes()).isZero();
    proxy.stall();
    answer(1);
    Waiting.until(() -> pending().bytes() == 60_004);
    proxy.cut();
    Waiting.until(() -> pending().bytes() == 0);
    Waiting.await(proxy.close());
  }
}
