package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients that say nothing of who they are, and repeat calls over other connections. */
class StrangersTest {

  private static final String ADD = "00000007 00000001 00000010 00000000 00000000 00000000 00000000"
      + "00000007 00000000 00000002 20060098 00000001 00000001 00000000 00000000 00000000 00000000"
      + "00000000 %08x 00000002 abcd0000";
  private static final String ADDED = "00000007 00000001 00000040 00000000 00000000 00000000 00000000"
      + " 00000007 00000001 00000000 00000000 00000000 00000000 00000002 cdab0000";

  private final Vertx vertx = Vertx.vertx();
  private final LedgerService ledger = new LedgerService(vertx);
  private RpcServer server;
  private VerbsBed raw;

  @BeforeEach
  void open() {
    server = RpcServer.create(vertx).bind(ledger);
    Await.success(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    raw.close();
    Await.success(server.close());
    Await.success(vertx.close());
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
  @DisplayName("R-159: a stranger is known again by its host, its call by XID and bytes")
  void knownAgain() {
    assertThat(call(1)).isEqualTo(ADDED);
    assertThat(call(1)).isEqualTo(ADDED);
    assertThat(ledger.executions(1)).isEqualTo(1);
    // Another call, though it has the same XID.
    assertThat(call(2)).isEqualTo(ADDED);
    assertThat(ledger.executions(2)).isEqualTo(1);
  }
}
