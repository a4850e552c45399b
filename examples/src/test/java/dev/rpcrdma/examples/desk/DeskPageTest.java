// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.desk.server.Role;
import dev.rpcrdma.testkit.ManualPage;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the configuration of docs/desk.md. */
class DeskPageTest {

  private static final ManualPage PAGE = ManualPage.of("desk.md");

  @Test
  @DisplayName("All code of the page is compiled")
  void code() {
    assertThat(PAGE.notIn(Path.of("src/main/java/dev/rpcrdma/examples/desk"))).isEmpty();
  }

  @Test
  @DisplayName("The configuration of the page is one that the desk takes")
  void configuration() {
    JsonObject config = new JsonObject(PAGE.blocks("json").get(0));
    ServerSSLOptions tls = new RpcServerOptions(config.getJsonObject("options")).getTls().orElseThrow();
    assertThat(tls.getKeyCertOptions()).isInstanceOf(PfxOptions.class);
    assertThat(tls.getTrustOptions()).isInstanceOf(PemTrustOptions.class);
    assertThat(tls.getClientAuth()).isEqualTo(ClientAuth.REQUEST);
    config.getJsonObject("roles").forEach(role -> Role.valueOf((String) role.getValue()));
  }
}
