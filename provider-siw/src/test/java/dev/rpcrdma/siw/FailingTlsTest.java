// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.tls.TlsLoader;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS that cannot be had for one connection, and a handshake whose time is very short. */
@Timeout(60)
class FailingTlsTest {

  private static final TestKeys KEYS = TestKeys.forNames("ip:" + VerbsBed.HOST);

  /** Fails if {@code SiwListener.accept} keeps the place of a connection whose TLS has thrown. */
  @ParameterizedTest
  @CsvSource({"maxPendingPerAddress, false", "maxPendingPerAddress, true", "maxPendingConnections, true"})
  @DisplayName("A connection whose TLS throws leaves its place to others")
  void once(String limit, boolean byHandler) {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(),
        DeviceOptions.DEFAULT.withSettings(new JsonObject().put(limit, 1)))) {
      ServerTls good =
          Waiting.await(TlsLoader.server(bed.vertx(), new ServerSSLOptions().setKeyCertOptions(KEYS.keys())));
      ClientTls client =
          Waiting.await(TlsLoader.client(bed.vertx(), new ClientSSLOptions().setTrustOptions(KEYS.trusted())));
      AtomicInteger asked = new AtomicInteger();
      ServerTls handler = (allocator, made) -> {
        failFirst(asked);
        return good.handler(allocator, made);
      };
      Supplier<ServerTls> supplier = () -> {
        failFirst(asked);
        return good;
      };
      Peer server = bed.server();
      VerbsListener listener = Waiting.await(bed.device().listen(bed.context(), bed.anyPort(),
          new ListenOptions(Optional.of(byHandler ? () -> handler : supplier)),
          request -> bed.accept(request, server, ConnectionOptions.DEFAULT)));
      ConnectionOptions wanted = ConnectionOptions.DEFAULT.withTimeout(Duration.ofSeconds(20)).withTls(client);
      Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(), wanted));
      Waiting.await(bed.connect(listener.localAddress(), bed.client(), wanted));
      assertThat(asked.get()).isGreaterThan(1);
    }
  }

  private static void failFirst(AtomicInteger asked) {
    if (asked.getAndIncrement() == 0) {
      throw new IllegalStateException("not now");
    }
  }

  /** Fails if {@code TlsRules.handshakeMillis} rounds down to 0, which is no limit. */
  @Test
  @DisplayName("A handshake that may take some microseconds is given up")
  void microseconds() throws IOException {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
        ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName(VerbsBed.HOST))) {
      ClientTls tls = Waiting.await(TlsLoader.client(bed.vertx(), new ClientSSLOptions().setTrustAll(true)
          .setSslHandshakeTimeout(500).setSslHandshakeTimeoutUnit(TimeUnit.MICROSECONDS)));
      assertThat(Waiting.awaitFailure(bed.connect(SocketAddress.inetSocketAddress(silent.getLocalPort(), VerbsBed.HOST),
          bed.client(), ConnectionOptions.DEFAULT.withTimeout(Duration.ofMinutes(5)).withTls(tls))))
          .hasMessageContaining("TLS handshake");
    }
  }
}
