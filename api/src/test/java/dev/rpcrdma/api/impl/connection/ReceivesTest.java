// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A message always finds a Receive: how many each end has posted, whatever it does. */
class ReceivesTest {

  private static final int FORWARD = 5;
  private static final int REVERSE = 3;

  private RpcBed bed;

  @BeforeEach
  void open() {
    CountingSiw.forget();
    bed = new RpcBed(credits(new RpcServerOptions()), credits(new RpcClientOptions()));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static <T extends RpcOptions<T>> T credits(T options) {
    return options.setProvider(CountingSiw.NAME).setForwardCredits(FORWARD)
        .setReverseCredits(REVERSE);
  }

  @Test
  @DisplayName("R-026 R-045 R-046: before anything is sent, there is one for each call and each reply")
  void beforehand() {
    Waiting.await(bed.channel.connect());
    assertThat(CountingSiw.all()).hasSize(2).allSatisfy(end ->
        assertThat(end.atEstablished()).isGreaterThanOrEqualTo(FORWARD + REVERSE));
  }

  @Test
  @DisplayName("R-026 R-029 R-045 R-046: there are as many whenever anything is sent")
  void atAllTimes() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    bed.server.connectionHandler(accepted::add);
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection server = Waiting.next(accepted);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(bed.channel.call(EchoService.echo(new byte[100])));
      calls.add(bed.channel.call(EchoService.echo(new byte[10_000])));
      calls.add(server.call(EchoService.echo(new byte[100])));
    }
    calls.forEach(Waiting::await);
    assertThat(CountingSiw.all()).hasSize(2).allSatisfy(end ->
        assertThat(end.leastAtFlush()).isEqualTo(end.atEstablished()));
  }

  /** Fails if {@code RpcConnectionImpl.setup} posts fewer for a later connection. */
  @Test
  @DisplayName("R-047: each later connection has a full set of its own")
  void laterConnections() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    bed.server.connectionHandler(accepted::add);
    for (int i = 0; i < 3; i++) {
      RpcConnection client = Waiting.await(bed.channel.connect());
      Waiting.await(Waiting.next(accepted).close());
      Waiting.await(client.closeFuture());
    }
    List<Integer> posted = CountingSiw.all().stream().map(CountingSiw.Receives::atEstablished).toList();
    assertThat(posted).hasSize(6).allSatisfy(receives -> assertThat(receives).isGreaterThan(FORWARD + REVERSE));
    assertThat(posted.stream().distinct()).as("of a client, and of a server").hasSizeLessThanOrEqualTo(2);
  }
}
