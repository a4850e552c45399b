// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the tables of docs/rpcbind.md. */
class RpcbindPageTest {

  private static final ManualPage PAGE = ManualPage.of("rpcbind.md");
  private static final Pattern EXCEPTION = Pattern.compile("`(\\w+Exception)`");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static RpcChannel found(RpcClient client) {
    RpcChannel channel = client.channel("files.example.com", 100003, 3);
    return channel;
  }

  private static RpcServerOptions registered() {
    RpcServerOptions options = new RpcServerOptions().setRpcbind(RpcbindPolicy.REQUIRE);
    return options;
  }

  private Future<RpcbindServer> ofItsOwn() {
    return
        RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(111, "0.0.0.0"));
  }

  private Future<Boolean> linux() {
    return
        Rpcbind.of(vertx, "127.0.0.1").register(new Rpcb(100003, 3, "rdma", "0.0.0.0.78.81", "root"));
  }

  @Test
  @DisplayName("The code of the page is compiled, and runs as far as it needs no other host")
  void code() {
    RpcClient client = RpcClient.create(vertx);
    assertThat(found(client)).isNotNull();
    Waiting.await(client.close());
    assertThat(registered().getRpcbind()).isEqualTo(RpcbindPolicy.REQUIRE);
    // Who may not listen there, or has an rpcbind already, hears it.
    Throwable none = Waiting.outcome(ofItsOwn().compose(server -> linux().compose(registered -> server.close())));
    assertThat(none == null || none instanceof RpcListenException).as("%s", none).isTrue();
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/api/rpcbind/RpcbindPageTest.java"))).isEmpty();
  }

  @Test
  @DisplayName("The page has each policy, and failures that there are; its bounds are the defaults")
  void tables() {
    assertThat(PAGE.rows("Servers").stream().map(row -> row.get(0).replace("`", "")))
        .containsExactlyElementsOf(Arrays.stream(RpcbindPolicy.values()).map(Enum::name).toList());
    List<String> failures = PAGE.rows("Clients").stream().map(row -> EXCEPTION.matcher(row.get(1)))
        .filter(Matcher::find).map(found -> found.group(1)).toList();
    assertThat(failures).hasSize(4).allSatisfy(name -> Class.forName("dev.rpcrdma.api." + name));
    assertThat(RpcbindServerOptions.DEFAULT)
        .isEqualTo(new RpcbindServerOptions(1024, 64, Duration.ofSeconds(30), false));
    assertThat(RpcbindOptions.DEFAULT).isEqualTo(new RpcbindOptions(Duration.ofSeconds(5), 1 << 20));
  }
}
