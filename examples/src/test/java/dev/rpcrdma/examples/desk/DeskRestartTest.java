// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.ACME;
import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static dev.rpcrdma.testkit.Waiting.awaitFailure;
import static dev.rpcrdma.testkit.Waiting.next;
import static dev.rpcrdma.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.examples.desk.client.DeskClient;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import dev.rpcrdma.examples.desk.server.RiskCheck;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The desk is started again, on the same port, while its clients go on. */
class DeskRestartTest {

  private final DeskBed bed = new DeskBed(new JsonObject().put("timeouts", new JsonObject().put("drainTimeout", 10)),
      new JsonObject().put("uid:1000", "TRADER"), new JsonObject());
  private final HeardByClient heard = new HeardByClient();
  private final DeskClient client = new DeskClient(bed.vertx(), bed.clientConfig(new JsonObject()
      .put("credentials", new JsonObject().put("uid", 1000))
      .put("reconnect", new JsonObject().put("reconnectDelay", 20).put("maxReconnectDelay", 100))), heard);
  private final BlockingQueue<Promise<Void>> held = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    bed.close();
  }

  /** A risk check that says yes when the test does. */
  private RiskCheck slow() {
    return (order, price, open, limit) -> {
      Promise<Void> verdict = Promise.promise();
      held.add(verdict);
      return verdict.future();
    };
  }

  private void restart(RiskCheck risk) {
    bed.stop();
    bed.start(risk);
  }

  @Test
  @DisplayName("Calls that only look go on over the new desk, even those that wait there")
  void readOnly() {
    NewOrder order = buy(10, "5");
    await(client.place(order));
    Future<Order> waiting = client.waitForFill(order.id(), CallOptions.DEFAULT);
    until(() -> bed.desk().waiting() == 1);
    bed.stop();
    Future<Order> whileGone = client.desk().order(order.id());
    bed.start(new LimitCheck());
    assertThat(await(whileGone).terms()).isEqualTo(order);
    until(() -> bed.desk().waiting() == 1);
    bed.exchange().quote(quote("4", "5", 10));
    assertThat(await(waiting).state()).isEqualTo(OrderState.FILLED);
  }

  @Test
  @DisplayName("The client hears that the desk is gone and back, and the desk calls it again")
  void events() {
    bed.exchange().quote(quote("1", "2", 10));
    await(client.watch(Set.of(ACME)));
    assertThat(heard.online()).isTrue();
    assertThat(heard.quote()).isEqualTo(quote("1", "2", 10));
    NewOrder order = buy(10, "1.5");
    await(client.place(order));
    restart(new LimitCheck());
    assertThat(heard.online()).isFalse();
    assertThat(heard.online()).isTrue();
    assertThat(heard.quote()).as("the latest, as of any subscription").isEqualTo(quote("1", "2", 10));
    bed.exchange().quote(quote("1", "1.5", 10));
    assertThat(heard.quote()).isEqualTo(quote("1", "1.5", 10));
    assertThat(heard.fill().order()).isEqualTo(order.id());
  }

  @Test
  @DisplayName("A client that the new desk refuses hears that it will not be called")
  void refused() {
    await(client.watch(Set.of(ACME)));
    bed.stop();
    bed.revoke("uid:1000");
    bed.start(new LimitCheck());
    assertThat(heard.failure()).isInstanceOfSatisfying(RpcRejectedException.class,
        refusal -> assertThat(refusal.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  @Test
  @DisplayName("An order whose fate is not known says so, and is not sent again by itself")
  void forgotten() {
    restart(slow());
    NewOrder order = buy(10, "5");
    Future<Order> placing = client.desk().place(order);
    next(held);
    restart(new LimitCheck());
    assertThat(awaitFailure(placing)).isInstanceOfSatisfying(RpcConnectionLostException.class, lost -> {
      assertThat(lost.forgotten()).isTrue();
      assertThat(lost.maybeExecuted()).isTrue();
    });
    assertThat(await(client.desk().openOrders())).isEmpty();
  }

  @Test
  @DisplayName("An order is placed once, though the desk was started again before it answered")
  void placedOnce() {
    restart(slow());
    NewOrder order = buy(10, "5");
    Future<Order> placing = client.place(order);
    Promise<Void> verdict = next(held);
    restart(new LimitCheck());
    // The desk that is gone places it all the same.
    verdict.complete();
    assertThat(await(placing).terms()).isEqualTo(order);
    assertThat(await(client.desk().openOrders())).extracting(Order::terms).containsExactly(order);
  }
}
