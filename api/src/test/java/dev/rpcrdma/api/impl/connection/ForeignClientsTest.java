// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients that say nothing of who they are, and repeat calls over other connections. */
class ForeignClientsTest {

  private static final String ADD = "00000007 00000001 00000010 00000000 00000000 00000000 00000000"
      + "00000007 00000000 00000002 20060098 00000001 00000001 00000000 00000000 00000000 00000000"
      + "00000000 %08x 00000002 abcd0000";
  private static final String ADDED = "00000007 00000001 00000040 00000000 00000000 00000000 00000000"
      + " 00000007 00000001 00000000 00000000 00000000 00000000 00000002 cdab0000";

  private final Vertx vertx = Vertx.vertx();
  private final LedgerService ledger = new LedgerService(vertx);
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private RpcServer server;
  private VerbsBed raw;

  @BeforeEach
  void open() {
    server = RpcServer.create(vertx).bind(ledger).connectionHandler(accepted::add);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    raw.close();
    Waiting.await(server.close());
    Waiting.await(vertx.close());
  }

  /** Connects, calls once, and takes the answer. */
  private String call(long number) {
    RawClient client = new RawClient(raw,
        SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    client.send(ADD.formatted(number));
    String answer = client.answer();
    Waiting.await(client.peer.close());
    return answer;
  }

  @Test
  @DisplayName("R-159: a foreign client is known again by its host, its call by XID and bytes")
  void knownAgain() {
    assertThat(call(1)).isEqualTo(ADDED);
    assertThat(call(1)).isEqualTo(ADDED);
    assertThat(ledger.executions(1)).isEqualTo(1);
    // Another call, though it has the same XID.
    assertThat(call(2)).isEqualTo(ADDED);
    assertThat(ledger.executions(2)).isEqualTo(1);
  }

  @Test
  @DisplayName("R-221 R-228: foreign clients of one host are called independently of each other")
  void reverseCalls() {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      clients.add(new RawClient(raw,
          SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST)));
      RpcConnection connection = Waiting.next(accepted);
      connection.peerServes(LedgerService.BINDING.program(), LedgerService.BINDING.version());
      connection.call(LedgerService.request(LedgerService.ADD, i, new byte[1]));
    }
    for (RawClient client : clients) {
      // None of them answers.
      assertThat(client.answer()).contains("00000000 00000002 20060098 00000001 00000001");
      Waiting.await(client.peer.close());
    }
  }
}
