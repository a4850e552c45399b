package dev.rpcrdma.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.desk.server.Role;
import dev.rpcrdma.testkit.ManualPage;
import io.vertx.core.json.JsonObject;
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
    JsonObject tls = new RpcServerOptions(config.getJsonObject("options")).getProviderOptions()
        .getJsonObject("tls");
    assertThat(tls.fieldNames()).containsExactlyInAnyOrder("pfxKeyCertOptions", "pemTrustOptions", "clientAuth");
    config.getJsonObject("roles").forEach(role -> Role.valueOf((String) role.getValue()));
  }
}
