// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.testkit.Waiting.await;
import static dev.rpcrdma.testkit.Waiting.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.examples.desk.client.DeskClient;
import dev.rpcrdma.examples.desk.keys.Identity;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what at the desk, by certificates of mutual TLS and by tokens. */
@Tag("slow")
class DeskSecurityTest {

  @TempDir
  private static Path folder;
  private static Identity server;
  private static Identity alice;
  private static Identity audit;
  private static Identity mallory;

  private DeskBed bed;

  @BeforeAll
  static void keys() throws IOException {
    server = Identity.create(folder, "desk");
    alice = Identity.create(folder, "alice");
    audit = Identity.create(folder, "audit");
    mallory = Identity.create(folder, "mallory");
  }

  private void open(String clientAuth) {
    bed = new DeskBed(Identity.options(server.serverTls(clientAuth, alice, audit)),
        new JsonObject().put("CN=alice", "TRADER").put("CN=audit", "AUDITOR").put("bob", "AUDITOR"),
        new JsonObject().put("bob's secret", "bob").put("eve's secret", "eve"));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private DeskClient client(JsonObject tls) {
    return bed.client(Identity.options(tls));
  }

  private DeskClient withToken(String token) {
    return new DeskClient(bed.vertx(),
        bed.clientConfig(Identity.options(Identity.trust(server))).put("token", token), new HeardByClient());
  }

  private static void assertTooWeak(Future<?> call) {
    assertThat(awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  @Test
  @DisplayName("A trader is known by the certificate, and may trade")
  void trader() {
    open("REQUIRED");
    DeskClient client = client(alice.clientTls(server));
    assertThat(await(client.place(buy(1, "2"))).trader()).isEqualTo("CN=alice");
    assertThat(await(client.desk().openOrders())).hasSize(1);
  }

  @Test
  @DisplayName("An auditor may look, and nothing else, in either version")
  void auditor() {
    open("REQUIRED");
    NewOrder order = buy(1, "2");
    await(client(alice.clientTls(server)).place(order));
    DeskClient client = client(audit.clientTls(server));
    assertThat(await(client.desk().openOrders())).hasSize(1);
    assertTooWeak(client.place(buy(1, "2")));
    assertTooWeak(client.desk().cancel(order.id()));
    assertTooWeak(client.deskV2().replace(order.id(), buy(1, "3")));
    assertTooWeak(client.desk().setLimit(BigDecimal.ONE));
    assertThat(await(client.deskV2().openOrders())).extracting(Order::terms).containsExactly(order);
  }

  @Test
  @DisplayName("Who has no certificate, or one that nobody trusts, gets no connection")
  void strangers() {
    open("REQUIRED");
    for (JsonObject tls : new JsonObject[] {mallory.clientTls(server), Identity.trust(server)}) {
      assertThat(awaitFailure(client(tls).desk().limit())).isInstanceOf(RpcConnectException.class)
          .hasMessageContaining("certificate");
    }
    // The other way round: a client that does not trust the desk.
    assertThat(awaitFailure(client(alice.clientTls(mallory)).desk().limit())).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("trust each other's certificates");
  }

  @Test
  @DisplayName("A token says who calls, where no certificate does")
  void tokens() {
    open("REQUEST");
    DeskClient bob = withToken("bob's secret");
    assertThat(await(bob.desk().openOrders())).isEmpty();
    assertTooWeak(bob.place(buy(1, "2")));
    assertTooWeak(withToken("eve's secret").desk().openOrders());
    assertTooWeak(client(Identity.trust(server)).desk().openOrders());
    assertThat(awaitFailure(withToken("a guess").desk().limit())).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("BADCRED");
  }
}
