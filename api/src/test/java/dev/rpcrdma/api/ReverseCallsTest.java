package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server calls the client, over the client's connection. */
class ReverseCallsTest {

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private RpcBed bed;

  @BeforeEach
  void open() {
    bed = new RpcBed("siw");
    bed.server.connectionHandler(accepted::add);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private RpcConnection accepted() throws InterruptedException {
    RpcConnection connection = accepted.poll(Await.SECONDS, TimeUnit.SECONDS);
    assertThat(connection).isNotNull();
    return connection;
  }

  @Test
  @DisplayName("A channel is known again by its instance id, and is never taken for another")
  void instanceId() throws InterruptedException {
    RpcConnection first = Await.success(bed.channel.connect());
    RpcConnection toClient = accepted();
    assertThat(toClient.peerInstance()).isPresent();
    assertThat(first.peerInstance()).isEmpty();
    Await.success(first.close());
    Await.success(bed.channel.connect());
    assertThat(accepted().peerInstance()).isEqualTo(toClient.peerInstance());
    RpcClient other = RpcClient.builder(bed.vertx).with(new RpcClientOptions()).build();
    Await.success(other.channel(bed.address()).connect());
    assertThat(accepted().peerInstance()).isPresent().isNotEqualTo(toClient.peerInstance());
    Await.success(other.close());
  }

  @Test
  @DisplayName("R-001 R-220 R-230: calls of all forms to a client that nobody could connect to")
  void reverse() throws InterruptedException {
    bed.channel.bind(new EchoService());
    Await.success(bed.channel.connect());
    RpcConnection toClient = accepted();
    for (int length : new int[] {0, 100, 4000, 5000, 1 << 20}) {
      assertThat(Await.success(toClient.call(EchoService.echo(new byte[length]))).length())
          .isEqualTo(length);
      assertThat(Await.success(toClient.call(EchoService.echoPlaced(
          DataItem.of(new byte[length])))).length()).isEqualTo(length);
    }
  }

  @Test
  @DisplayName("R-223: a client that announced nothing is not called, and its connection stays")
  void notAnnounced() throws InterruptedException {
    Await.success(bed.channel.connect());
    RpcConnection toClient = accepted();
    Throwable failure = Await.failure(toClient.call(EchoService.echo(new byte[1])));
    assertThat(failure).isInstanceOfSatisfying(RpcRejectedException.class, e ->
        assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_UNAVAIL));
    assertThat(failure).hasMessageContaining("has not announced");
    Await.success(bed.channel.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-060 R-206: what the binding does not call eligible is not reduced in this direction")
  void notEligible() throws InterruptedException {
    bed.channel.bind(new EchoService());
    Await.success(bed.channel.connect());
    RpcConnection toClient = accepted();
    assertThat(Await.failure(toClient.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[10]))).build())))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("DDP-eligible");
    Await.success(toClient.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-204: what is bound later is announced by another program of the same connection")
  void announcedLater() throws InterruptedException {
    Await.success(bed.channel.connect());
    RpcConnection toClient = accepted();
    bed.channel.bind(new EchoService());
    // The announcement was sent before this call, so it is served before it.
    Await.success(bed.channel.call(EchoService.echo(new byte[1])));
    Await.success(toClient.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-033 R-236 B-091: both directions at once, two clients, one goes away")
  void bothDirections() throws InterruptedException {
    RpcClient other = RpcClient.create(bed.vertx);
    RpcChannel otherChannel = other.channel(bed.address()).bind(new EchoService());
    bed.channel.bind(new EchoService());
    Await.success(bed.channel.connect());
    RpcConnection first = accepted();
    Await.success(otherChannel.connect());
    RpcConnection second = accepted();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[10 * i];
      calls.add(bed.channel.call(EchoService.echo(bytes)));
      calls.add(first.call(EchoService.echo(bytes)));
      calls.add(second.call(EchoService.echo(bytes)));
    }
    calls.forEach(Await::success);
    Await.success(other.close());
    assertThat(Await.failure(second.call(EchoService.echo(new byte[1]))))
        .isInstanceOfAny(ConnectionLostException.class, RpcClosedException.class);
    Await.success(first.call(EchoService.echo(new byte[1])));
  }
}
