// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Closing, shutting down, and who hears of it. */
class ClosingTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  /** Its services answer when they are told to, and it gives them all the time. */
  private static RpcBed patient() {
    return new RpcBed(new RpcServerOptions().setDrainTimeout(LONG), new RpcClientOptions().setDrainTimeout(LONG));
  }

  private static Future<Void> callUnderWay(RpcBed bed) {
    Future<Void> call = bed.channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> bed.service.never.size() == 1);
    return call;
  }

  @Test
  void shutdownWaitsNoLongerThanItIsTold() {
    try (RpcBed bed = patient()) {
      Future<Void> call = callUnderWay(bed);
      Waiting.await(bed.channel.shutdown(Duration.ZERO));
      assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcException.class);
    }
  }

  @Test
  void shutdownHurriesWhatIsClosingAlready() {
    try (RpcBed bed = patient()) {
      Future<Void> call = callUnderWay(bed);
      Future<Void> closed = bed.client.close();
      assertThat(closed.isComplete()).isFalse();
      Waiting.await(bed.client.shutdown(Duration.ZERO));
      Waiting.await(closed);
      assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcException.class);
    }
  }

  @Test
  void aLaterAndLongerShutdownChangesNothing() {
    try (RpcBed bed = patient()) {
      callUnderWay(bed);
      Future<Void> closed = bed.server.shutdown(Duration.ZERO);
      bed.server.shutdown(Duration.ofHours(1));
      Waiting.await(closed);
    }
  }

  @Test
  void aServersShutdownHurriesItsOwnClosing() {
    try (RpcBed bed = patient()) {
      callUnderWay(bed);
      Future<Void> closed = bed.server.close();
      bed.server.shutdown(Duration.ZERO);
      Waiting.await(closed);
    }
  }

  @Test
  void theEndOfVertxLetsCallsFinish() {
    Vertx ofClient = Vertx.vertx();
    try (RpcBed bed = patient()) {
      RpcChannel channel = RpcClient.create(ofClient, new RpcClientOptions().setDrainTimeout(LONG))
          .channel(bed.address());
      Future<Void> call = channel.call(EchoService.call(EchoService.NEVER));
      Waiting.until(() -> bed.service.never.size() == 1);
      Future<Void> ended = ofClient.close();
      bed.service.never.get(0).complete(XdrEncoder.VOID);
      Waiting.await(ended);
      assertThat(call.cause()).isNull();
      assertThat(call.succeeded()).isTrue();
    }
  }

  @Test
  void closeHandlersHearOfTheEnd() {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (RpcBed bed = new RpcBed("siw")) {
      RpcConnection connection = Waiting.await(bed.channel.connect());
      connection.closeHandler(ended -> heard.add("connection"));
      bed.channel.closeHandler(ended -> heard.add("channel"));
      Waiting.await(connection.close());
      assertThat(Waiting.next(heard)).isEqualTo("connection");
      assertThat(bed.channel.closeFuture().isComplete()).isFalse();
      Waiting.await(bed.channel.close());
      assertThat(Waiting.next(heard)).isEqualTo("channel");
      // Also who comes later.
      connection.closeHandler(ended -> heard.add("late"));
      assertThat(Waiting.next(heard)).isEqualTo("late");
    }
  }

  @Test
  void upAndDownAreToldWithTheReason() {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    try (RpcBed bed = new RpcBed("siw")) {
      bed.channel.upHandler(heard::add).downHandler(heard::add);
      RpcConnection first = Waiting.await(bed.channel.connect());
      assertThat(Waiting.next(heard)).isSameAs(first);
      Waiting.await(first.close());
      assertThat(Waiting.next(heard)).isInstanceOfSatisfying(RpcConnectionLostException.class,
          why -> assertThat(why).hasMessageContaining(bed.address().toString()).hasMessageContaining("Closed"));
      ChannelSnapshot down = Waiting.await(bed.channel.snapshot());
      assertThat(down.connected()).isFalse();
      assertThat(down.lastFailure()).hasValueSatisfying(why -> assertThat(why).contains("Closed"));
      Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
      assertThat(Waiting.next(heard)).isInstanceOf(RpcConnection.class).isNotSameAs(first);
    }
  }

  @Test
  void whoHearsThatItIsUpCallsBeforeThoseWhoWait() {
    try (RpcBed bed = new RpcBed("siw")) {
      BlockingQueue<String> order = new LinkedBlockingQueue<>();
      bed.vertx.runOnContext(go -> {
        RpcClient client = RpcClient.create(bed.vertx);
        RpcChannel channel = client.channel(bed.address());
        channel.upHandler(connection -> connection.call(EchoService.echo(new byte[1]))
            .onSuccess(done -> order.add("signal")));
        channel.call(EchoService.echo(new byte[1])).onSuccess(done -> order.add("call"));
      });
      assertThat(List.of(Waiting.next(order), Waiting.next(order))).containsExactly("signal", "call");
    }
  }

  @Test
  void anImpossibleTimeIsRefused() {
    try (RpcBed bed = new RpcBed("siw")) {
      RpcConnection connection = Waiting.await(bed.channel.connect());
      for (Duration wrong : List.of(Duration.ofMillis(-1), Duration.ofDays(2))) {
        assertThatThrownBy(() -> bed.server.shutdown(wrong)).hasMessageContaining("0 to 1 day");
        assertThatThrownBy(() -> bed.client.shutdown(wrong)).hasMessageContaining("0 to 1 day");
        assertThatThrownBy(() -> bed.channel.shutdown(wrong)).hasMessageContaining("0 to 1 day");
        assertThatThrownBy(() -> connection.shutdown(wrong)).hasMessageContaining("0 to 1 day");
      }
    }
  }

  @Test
  void eachOfTwoServersHasTheMemoryThatItsOptionsSay() {
    try (RpcBed bed = new RpcBed(new RpcServerOptions().setMaxPoolBytes(1 << 20), new RpcClientOptions())) {
      // The client has opened the device too, with the default bound.
      RpcConnection ofClient = Waiting.await(bed.channel.connect());
      BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
      bed.server.connectionHandler(accepted::add);
      Waiting.await(ofClient.close());
      ofClient = Waiting.await(bed.channel.connect());
      Waiting.await(ofClient.allocate(2 << 20)).release();
      assertThat(Waiting.awaitFailure(Waiting.next(accepted).allocate(2 << 20)))
          .isInstanceOf(RpcResourceException.class).hasMessageContaining("maxPoolBytes (1048576)");
    }
  }

  @Test
  void listeningTwiceAndWhereNobodyMayFailsTyped() {
    try (RpcBed bed = new RpcBed("siw")) {
      assertThat(Waiting.awaitFailure(bed.server.listen(bed.address()))).isInstanceOf(RpcListenException.class)
          .hasMessageContaining("listens already");
      RpcServer other = RpcServer.create(bed.vertx, new RpcServerOptions());
      SocketAddress nowhere = SocketAddress.inetSocketAddress(20049, "192.0.2.1");
      assertThat(Waiting.awaitFailure(other.listen(nowhere))).isInstanceOf(RpcListenException.class)
          .hasMessageContaining("192.0.2.1:20049");
      Waiting.await(other.close());
    }
  }
}
