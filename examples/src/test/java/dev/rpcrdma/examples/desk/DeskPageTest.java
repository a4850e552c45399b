package dev.rpcrdma.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.desk.server.Role;
import dev.rpcrdma.testkit.PageCode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the configuration of docs/desk.md. */
class DeskPageTest {

  private static final Path PAGE = Path.of("../docs/desk.md");
  private static final Pattern JSON = Pattern.compile("(?s)```json\n(.*?)```");
  private static final Pattern COMMENT = Pattern.compile("/\\*\\*.*?\\*/ ");

  @Test
  @DisplayName("All code of the page is compiled")
  void code() throws IOException {
    String sources = COMMENT.matcher(
        PageCode.source(Path.of("src/main/java/dev/rpcrdma/examples/desk"))).replaceAll("");
    assertThat(PageCode.parts(PAGE)).hasSize(21).allSatisfy(part -> assertThat(sources).contains(part));
  }

  @Test
  @DisplayName("The configuration of the page is one that the desk takes")
  void configuration() throws IOException {
    Matcher json = JSON.matcher(Files.readString(PAGE));
    assertThat(json.find()).isTrue();
    JsonObject config = new JsonObject(json.group(1));
    JsonObject tls = new RpcServerOptions(config.getJsonObject("options")).getProviderOptions()
        .getJsonObject("tls");
    assertThat(tls.fieldNames()).containsExactlyInAnyOrder("pfxKeyCertOptions", "pemTrustOptions", "clientAuth");
    config.getJsonObject("roles").forEach(role -> Role.valueOf((String) role.getValue()));
  }
}
