// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.service.fixture.OrdersRpcProxy;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/calls.md, and its table of failures. */
class CallsPageTest {

  private static final ManualPage PAGE = ManualPage.of("calls.md");

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final AtomicInteger placed = new AtomicInteger();
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;
  private Orders orders;

  /** Takes its time, and stops when nobody waits. */
  private final class SlowDesk implements Orders {

    @Override
    public Future<Long> place(String article, int count) {
      Promise<Long> placed = Promise.promise();
      long timer = vertx.setTimer(10_000, done -> placed.complete(1L));
      RpcCall.current().abandonHandler(nobody -> {
        vertx.cancelTimer(timer);
        heard.add("abandoned");
      });
      heard.add("begun with " + RpcCall.current().millisLeft());
      return placed.future();
    }

    @Override
    public Future<List<String>> find(String prefix) {
      Map<String, String> headers = RpcCall.current().headers();
      long millis = RpcCall.current().millisLeft();
      heard.add(headers + " " + (millis <= 2000) + " " + RpcCall.current().attributes());
      return Future.succeededFuture(List.of());
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void open(Orders service, RpcClient made, RpcServer.RpcServerBuilder builder) {
    server = builder.build().bind(Orders.class, service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = made;
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    orders = channel.proxy(Orders.class);
    // So that no call's time goes to this.
    Waiting.await(channel.connect());
  }

  private void open(Orders service) {
    open(service, RpcClient.create(vertx), RpcServer.builder(vertx));
  }

  @Test
  @DisplayName("Options belong to a proxy, and cross")
  void options() {
    open(new SlowDesk());
    Cancellation cancellation = Cancellation.create();
    CallOptions options = CallOptions.DEFAULT
        .withTimeout(Duration.ofSeconds(2))
        .withHeader("tenant", "blue")
        .withCancellation(cancellation);
    Orders mine = channel.proxy(Orders.class, options);
    Waiting.await(mine.find(""));
    assertThat(Waiting.next(heard)).isEqualTo("{tenant=blue} true {}");
    Future<Long> call = mine.place("tea", 1);
    assertThat(Waiting.next(heard)).startsWith("begun");
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    assertThat(Waiting.next(heard)).isEqualTo("abandoned");
    Orders same = OrdersRpcProxy.with(orders, options);
    assertThat(Waiting.awaitFailure(same.find(""))).isInstanceOf(RpcCancelledException.class);
  }

  @Test
  @DisplayName("The end of a call's time is heard of where it is served")
  void deadline() {
    open(new SlowDesk());
    // A call that has no time left is not served.
    for (Duration timeout = Duration.ofMillis(100); heard.isEmpty(); timeout = timeout.multipliedBy(2)) {
      Orders hurried = channel.proxy(Orders.class, CallOptions.DEFAULT.withTimeout(timeout));
      assertThat(Waiting.awaitFailure(hurried.place("tea", 1))).isInstanceOfAny(RpcTimeoutException.class,
          RpcRejectedException.class);
    }
    assertThat(Waiting.next(heard)).startsWith("begun");
    assertThat(Waiting.next(heard)).isEqualTo("abandoned");
  }

  /** Makes calls once more that were not sent. */
  static final class OnceMore implements CallInterceptor {
    @Override
    public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
      return next.call(request).recover(failure ->
          failure instanceof RpcException known && !known.maybeExecuted()
              ? next.call(request) : Future.failedFuture(failure));
    }
  }

  private RpcClient intercepting() {
    RpcClient client = RpcClient.builder(vertx)
        .addCallInterceptor(CallInterceptor.options((request, options) -> options.withHeader("tenant", "blue")))
        .addCallInterceptor(new OnceMore())
        .build();
    return client;
  }

  private RpcServer.RpcServerBuilder attributing() {
    RpcServer.RpcServerBuilder builder = RpcServer.builder(vertx)
        .addServiceInterceptor((call, next) -> {
          call.attributes().put("tenant", call.headers().getOrDefault("tenant", "none"));
          return next.handle(call);
        });
    return builder;
  }

  @Test
  @DisplayName("Interceptors change options, and tell services")
  void interceptors() {
    open(new SlowDesk(), intercepting(), attributing());
    Waiting.await(orders.find(""));
    assertThat(Waiting.next(heard)).isEqualTo("{tenant=blue} false {tenant=blue}");
    Waiting.await(server.close());
    Waiting.until(() -> !Waiting.await(channel.snapshot()).connected());
    RpcChannel nowhere = client.channel(SocketAddress.inetSocketAddress(1, "127.0.0.1"));
    assertThat(Waiting.awaitFailure(nowhere.proxy(Orders.class).find(""))).isInstanceOf(RpcConnectException.class);
  }

  Future<Long> twoInOrder() {
    return orders.place("tea", 1).compose(number -> orders.place("milk", 1));
  }

  @Test
  @DisplayName("Whoever waits for an outcome has his calls executed in order")
  void order() {
    open(new OrderDesk());
    assertThat(Waiting.await(twoInOrder())).isEqualTo(2);
  }

  void placeAll(Iterator<String> articles) {
    channel.drainHandler(drained -> placeAll(articles));
    while (articles.hasNext() && !channel.writeQueueFull()) {
      orders.place(articles.next(), 1).onSuccess(number -> placed.incrementAndGet());
    }
  }

  @Test
  @DisplayName("Who looks at the queue makes no more calls than it takes")
  void backPressure() {
    open(new OrderDesk());
    channel.setWriteQueueMaxSize(8);
    Iterator<String> articles = IntStream.range(0, 1000).mapToObj(i -> "article " + i).iterator();
    vertx.runOnContext(go -> placeAll(articles));
    Waiting.until(() -> placed.get() == 1000);
  }

  @Test
  @DisplayName("Calls wait for a server that was lost as long as they are told")
  void lostServer() {
    RpcClientOptions options = new RpcClientOptions().setReconnectTimeout(Duration.ofMillis(200));
    open(new OrderDesk(), RpcClient.create(vertx, options), RpcServer.builder(vertx));
    Waiting.await(orders.place("tea", 1));
    Waiting.await(server.close());
    Waiting.until(() -> !Waiting.await(channel.snapshot()).connected());
    assertThat(Waiting.awaitFailure(orders.place("tea", 1))).isInstanceOfSatisfying(RpcConnectException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
  }

  @Test
  @DisplayName("A caller can tell whether a call may have been executed")
  void failures() {
    open(new SlowDesk(), RpcClient.create(vertx), RpcServer.builder(vertx)
        .with(new RpcServerOptions().setServiceTimeout(Duration.ofMillis(100))));
    orders.place("tea", 1).onFailure(failure -> {
      if (failure instanceof RpcException known && !known.maybeExecuted()) {
        heard.add("not executed");
      } else {
        heard.add("look whether it was");
      }
    });
    assertThat(Waiting.next(heard)).startsWith("begun");
    assertThat(List.of(Waiting.next(heard), Waiting.next(heard))).contains("look whether it was");
  }

  @Test
  @DisplayName("Each exception is in the table")
  void table() {
    assertThat(PAGE.rows("Failures").stream().map(row -> row.get(0).replace("`", "")))
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(RpcException.class.getPermittedSubclasses())
            .map(Class::getSimpleName).toList());
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/service/CallsPageTest.java"))).isEmpty();
  }
}
