package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of every form over the embedded provider. */
class RpcOverSiwTest {

  private Vertx vertx;
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;
  private final EchoService service = new EchoService();

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    server = RpcServer.create(vertx).bind(service);
    Await.success(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  @AfterEach
  void close() {
    Await.success(client.close());
    Await.success(server.close());
    Await.success(vertx.close());
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void callsOfEverySizeComeBack() {
    for (int length : new int[] {0, 1, 3, 128, 3900, 4000, 4096, 5001, 70_001, 1 << 20}) {
      byte[] bytes = random(length);
      assertThat(Await.success(channel.call(EchoService.echo(bytes))).getBytes())
          .as("%d bytes", length).isEqualTo(bytes);
    }
    ConnectionSnapshot snapshot = snapshot();
    assertThat(snapshot.positionZeroChunks()).isPositive();
    assertThat(snapshot.replyChunks()).isPositive();
  }

  @Test
  void placedItemsOfEverySizeComeBack() {
    for (int length : new int[] {0, 1, 3, 128, 3900, 4096, 5001, 70_001, 1 << 20, 9_000_001}) {
      Buffer bytes = Buffer.buffer(random(length));
      Payload payload = Payload.copyOf(vertx, bytes);
      assertThat(Await.success(channel.call(EchoService.echoPlaced(payload))))
          .as("%d bytes", length).isEqualTo(bytes);
      payload.release();
    }
    ConnectionSnapshot snapshot = snapshot();
    assertThat(snapshot.readChunks()).isPositive();
    assertThat(snapshot.writeChunks()).isPositive();
    assertThat(snapshot.exposures()).isZero();
    assertThat(snapshot.callsPending()).isZero();
  }

  @Test
  void manyCallsAtOnceAllComeBack() {
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      calls.add(channel.call(EchoService.echo(random(i))));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(Await.success(calls.get(i)).getBytes()).isEqualTo(random(i));
    }
    assertThat(snapshot().creditsGranted()).isEqualTo(RpcOptions.DEFAULT_FORWARD_CREDITS);
  }

  @Test
  void statusesArriveAsTypedExceptions() {
    assertThat(status(RpcRequest.to(0x20061234, 1, 1).build()))
        .isEqualTo(AcceptStatus.PROG_UNAVAIL);
    assertThat(status(RpcRequest.to(EchoService.PROGRAM, 7, 1).build()))
        .isEqualTo(AcceptStatus.PROG_MISMATCH);
    assertThat(status(EchoService.call(99))).isEqualTo(AcceptStatus.PROC_UNAVAIL);
    assertThat(status(EchoService.call(EchoService.THROW))).isEqualTo(AcceptStatus.SYSTEM_ERR);
    assertThat(status(EchoService.call(EchoService.BAD_RESULTS)))
        .isEqualTo(AcceptStatus.SYSTEM_ERR);
    assertThat(status(EchoService.call(EchoService.STATUS))).isEqualTo(AcceptStatus.PROC_UNAVAIL);
    assertThat(status(EchoService.call(EchoService.ECHO))).isEqualTo(AcceptStatus.GARBAGE_ARGS);
    Await.success(channel.call(RpcRequest.to(EchoService.PROGRAM, 1, 0).build()));
  }

  private AcceptStatus status(RpcRequest<?> request) {
    Throwable failure = Await.failure(channel.call(request));
    assertThat(failure).isInstanceOf(RpcRejectedException.class);
    return ((RpcRejectedException) failure).acceptStatus().orElseThrow();
  }

  private ConnectionSnapshot snapshot() {
    return Await.success(channel.connect().compose(RpcConnection::snapshot));
  }
}
