// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.ACME;
import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static dev.rpcrdma.testkit.Waiting.awaitFailure;
import static dev.rpcrdma.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.examples.desk.client.DeskClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What clients hear of the desk: by being called back, and by waiting. */
class DeskEventsTest {

  private static final JsonObject ALICE = user(1000);
  private static final JsonObject CAROL = user(1001);

  private final DeskBed bed = new DeskBed(new JsonObject(),
      new JsonObject().put("uid:1000", "TRADER").put("uid:1001", "TRADER"), new JsonObject());
  private final HeardByClient heard = new HeardByClient();
  private final DeskClient alice = new DeskClient(bed.vertx(), bed.clientConfig(ALICE), heard);

  private static JsonObject user(int uid) {
    return new JsonObject().put("credentials", new JsonObject().put("uid", uid));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  @DisplayName("Quotes come to whoever watches the symbol, the latest at once")
  void quotes() {
    bed.exchange().quote(quote("1", "2", 10));
    await(alice.watch(Set.of(ACME)));
    assertThat(heard.quote()).isEqualTo(quote("1", "2", 10));
    bed.exchange().quote(new Quote("OTHER", quote("7", "8", 1).bid(), quote("7", "8", 1).ask(), 1,
        quote("7", "8", 1).time()));
    bed.exchange().quote(quote("2", "3", 10));
    assertThat(heard.quote()).isEqualTo(quote("2", "3", 10));
  }

  @Test
  @DisplayName("Fills come to the trader whose order it is, and to no other")
  void fills() {
    HeardByClient heardByCarol = new HeardByClient();
    DeskClient carol = new DeskClient(bed.vertx(), bed.clientConfig(CAROL), heardByCarol);
    await(alice.watch(Set.of()));
    await(carol.watch(Set.of()));
    NewOrder ofAlice = buy(10, "5");
    await(alice.place(ofAlice));
    NewOrder ofCarol = buy(10, "4");
    await(carol.place(ofCarol));
    bed.exchange().quote(quote("3", "4", 15));
    assertThat(heard.fill().order()).isEqualTo(ofAlice.id());
    assertThat(heardByCarol.fill()).extracting(Fill::order, Fill::quantity).containsExactly(ofCarol.id(), 5L);
    assertThat(heard.moreFills()).isFalse();
  }

  @Test
  @DisplayName("Who waits for an order hears when it is done")
  void waits() {
    NewOrder order = buy(10, "5");
    await(alice.place(order));
    Future<Order> waiting = alice.waitForFill(order.id(), CallOptions.DEFAULT);
    until(() -> bed.desk().waiting() == 1);
    bed.exchange().quote(quote("4", "5", 10));
    assertThat(await(waiting).state()).isEqualTo(OrderState.FILLED);
  }

  @Test
  @DisplayName("Who waits hears before its own time is over, even if nothing has happened")
  void deadline() {
    NewOrder order = buy(10, "5");
    await(alice.place(order));
    CallOptions patience = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(2));
    assertThat(await(alice.waitForFill(order.id(), patience)).state()).isEqualTo(OrderState.NEW);
    assertThat(bed.desk().waiting()).isZero();
  }

  @Test
  @DisplayName("The desk hears that nobody waits any more")
  void cancelled() {
    NewOrder order = buy(10, "5");
    await(alice.place(order));
    Cancellation cancellation = Cancellation.create();
    Future<Order> waiting = alice.waitForFill(order.id(), CallOptions.DEFAULT.withCancellation(cancellation));
    until(() -> bed.desk().waiting() == 1);
    cancellation.cancel();
    assertThat(awaitFailure(waiting)).isInstanceOf(RpcCancelledException.class);
    until(() -> bed.desk().waiting() == 0);
  }
}
