// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.desk.client.DeskClient;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A client that wants to hear of its fills, and of no quotes. */
class FillsAloneTest {

  private final DeskBed bed = new DeskBed(new JsonObject().put("timeouts", new JsonObject().put("drainTimeout", 10)),
      new JsonObject().put("uid:1000", "TRADER"), new JsonObject());
  private final HeardByClient heard = new HeardByClient();
  private final DeskClient client = new DeskClient(bed.vertx(), bed.clientConfig(new JsonObject()
      .put("credentials", new JsonObject().put("uid", 1000))
      .put("reconnect", new JsonObject().put("reconnectDelay", 20).put("maxReconnectDelay", 100))), heard);

  @AfterEach
  void close() {
    bed.close();
  }

  /** Fails if {@code DeskClient.up} takes a client that watches no symbols for one that has not subscribed. */
  @Test
  @DisplayName("A client that watches no symbols hears of its fills, also when the desk was started again")
  void restarted() {
    await(client.watch(Set.of()));
    assertThat(heard.online()).isTrue();
    NewOrder first = buy(10, "1.5");
    await(client.place(first));
    bed.exchange().quote(quote("1", "1.5", 10));
    assertThat(heard.fill().order()).isEqualTo(first.id());
    bed.stop();
    bed.start(new LimitCheck());
    assertThat(heard.online()).isFalse();
    assertThat(heard.online()).isTrue();
    NewOrder second = buy(10, "1.2");
    await(client.place(second));
    bed.exchange().quote(quote("1", "1.2", 10));
    assertThat(heard.fill().order()).isEqualTo(second.id());
  }
}
