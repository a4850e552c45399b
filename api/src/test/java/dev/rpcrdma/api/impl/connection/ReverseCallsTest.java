// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RecordingService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server calls the client, over the client's connection. */
public class ReverseCallsTest {

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private RpcBed bed;

  /** The name of the provider that all ends use. */
  protected String provider() {
    return "siw";
  }

  private RpcClientOptions options() {
    return new RpcClientOptions().setProvider(provider());
  }

  @BeforeEach
  void open() {
    bed = new RpcBed(provider());
    bed.server.connectionHandler(accepted::add);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private RpcConnection accepted() {
    return Waiting.next(accepted);
  }

  @Test
  @DisplayName("A channel is known again by its instance id, and is never taken for another")
  void instanceId() {
    RpcConnection first = Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    assertThat(toClient.peerInstance()).isPresent();
    assertThat(first.peerInstance()).isEmpty();
    Waiting.await(first.close());
    Waiting.await(bed.channel.connect());
    assertThat(accepted().peerInstance()).isEqualTo(toClient.peerInstance());
    RpcClient other = RpcClient.builder(bed.vertx).with(options()).build();
    Waiting.await(other.channel(bed.address()).connect());
    assertThat(accepted().peerInstance()).isPresent().isNotEqualTo(toClient.peerInstance());
    Waiting.await(other.close());
  }

  @Test
  @DisplayName("R-001 R-220 R-230: calls of all forms to a client that nobody could connect to")
  void reverse() {
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    for (int length : new int[] {0, 100, 4000, 5000, 1 << 20}) {
      assertThat(Waiting.await(toClient.call(EchoService.echo(new byte[length]))).length())
          .isEqualTo(length);
      assertThat(Waiting.await(toClient.call(EchoService.echoPlaced(
          DataItem.of(new byte[length])))).length()).isEqualTo(length);
    }
  }

  @Test
  @DisplayName("R-223: a channel with more programs than can be announced keeps no connection")
  void tooManyToAnnounce() {
    for (int program = 1; program <= 257; program++) {
      UpperLayerBinding binding =
          new UpperLayerBinding(program, 1, OptionalInt.empty(), Map.of());
      bed.channel.bind(new RpcService() {
        @Override
        public UpperLayerBinding binding() {
          return binding;
        }

        @Override
        public Future<XdrEncoder> handle(RpcCall call) {
          throw new AssertionError("It has no procedures");
        }
      });
    }
    assertThat(Waiting.awaitFailure(bed.channel.connect())).hasMessageContaining("256");
    Waiting.await(accepted().closeFuture());
  }

  @Test
  @DisplayName("R-223: a client that announced nothing is not called, and its connection stays")
  void notAnnounced() {
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    Throwable failure = Waiting.awaitFailure(toClient.call(EchoService.echo(new byte[1])));
    assertThat(failure).isInstanceOfSatisfying(RpcRejectedException.class, e ->
        assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_UNAVAIL));
    assertThat(failure).hasMessageContaining("has not announced");
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-223 R-225 R-242: a client whose protocol has told that it serves is called")
  void toldByTheProtocol() {
    RpcConnection fromClient = Waiting.await(bed.channel.connect());
    fromClient.bind(new EchoService());
    RpcConnection toClient = accepted();
    // On the server, this call might be what tells.
    Waiting.await(fromClient.call(EchoService.echo(new byte[1])));
    assertThat(Waiting.awaitFailure(toClient.call(EchoService.echo(new byte[1]))))
        .hasMessageContaining("has not announced");
    toClient.peerServes(EchoService.PROGRAM, 1);
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
    assertThat(Waiting.awaitFailure(toClient.call(RpcRequest.to(EchoService.PROGRAM, 2, 0).build())))
        .hasMessageContaining("has not announced");
    // Announcements come and go; this stays.
    bed.channel.bind(new RecordingService(new LinkedBlockingQueue<>()));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-239: calls of the two directions have credentials of their own")
  void credentials() {
    BlockingQueue<OpaqueAuth> seen = new LinkedBlockingQueue<>();
    RpcConnection fromClient = Waiting.await(bed.channel.connect());
    fromClient.bind(new RecordingService(seen));
    RpcConnection toClient = accepted();
    toClient.bind(new RecordingService(seen));
    toClient.peerServes(RecordingService.PROGRAM, 1);
    OpaqueAuth ofClient = new AuthSys(1, "client", 10, 11, List.of(12)).toAuth();
    OpaqueAuth ofServer = new AuthSys(2, "server", 20, 21, List.of()).toAuth();
    Waiting.await(fromClient.call(RecordingService.call(ofClient)));
    assertThat(seen.poll()).isEqualTo(ofClient);
    Waiting.await(toClient.call(RecordingService.call(ofServer)));
    assertThat(seen.poll()).isEqualTo(ofServer);
    Waiting.await(toClient.call(RecordingService.call(OpaqueAuth.NONE)));
    assertThat(seen.poll()).isEqualTo(OpaqueAuth.NONE);
  }

  /** Notes who calls. */
  private record RecordingService(BlockingQueue<OpaqueAuth> seen) implements RpcService {

    static final int PROGRAM = EchoService.PROGRAM + 1;
    static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, 1,
        OptionalInt.empty(), Map.of(1, new ProcedureBinding("WHO", 0, 0, ReplyBound.of(0))));

    static RpcRequest<Void> call(OpaqueAuth credentials) {
      return RpcRequest.to(BINDING, 1)
          .options(CallOptions.DEFAULT.withCredentials(credentials)).build();
    }

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      seen.add(call.credentials());
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  @Test
  @DisplayName("R-237 B-089: a client answers calls to programs it does not serve, until it has gone")
  void notServed() {
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    // Announced by hand, and nothing bound.
    Waiting.await(bed.channel.call(RpcRequest.to(0x2006F000, 1, 1).withoutBinding()
        .arguments(writer -> writer.int32(1).int32(EchoService.PROGRAM).int32(1)).build()));
    for (int i = 0; i < 100; i++) {
      assertThat(Waiting.awaitFailure(toClient.call(EchoService.call(i % 2 == 0 ? 0 : EchoService.THROW))))
          .isInstanceOfSatisfying(RpcRejectedException.class, e ->
              assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_UNAVAIL))
          .hasMessageNotContaining("has not announced");
    }
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    Waiting.await(bed.channel.close());
    assertThat(Waiting.awaitFailure(toClient.call(EchoService.echo(new byte[1]))))
        .isInstanceOfAny(RpcConnectionLostException.class, RpcClosedException.class);
  }

  @Test
  @DisplayName("R-044 R-045 B-094: the longest replies of one way and calls of the other, in any order")
  void longest() {
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    int longest = RpcOptions.DEFAULT_INLINE_SIZE;
    // The heads of a call and of a reply differ: each end of this range is beyond what fits.
    for (int length = longest - 120; length <= longest; length += 4) {
      byte[] bytes = new byte[length];
      List<Future<Buffer>> calls = List.of(
          bed.channel.call(EchoService.echo(bytes)), toClient.call(EchoService.echo(bytes)),
          toClient.call(EchoService.echo(bytes)), bed.channel.call(EchoService.echo(bytes)));
      calls.forEach(call -> assertThat(Waiting.await(call).length()).isEqualTo(bytes.length));
    }
    assertThat(Waiting.await(toClient.snapshot()).messages().sentInline()).isPositive();
    assertThat(Waiting.await(toClient.snapshot()).messages().sentLong()).isPositive();
  }

  @Test
  @DisplayName("R-060 R-206: what the binding does not call eligible is not reduced in this direction")
  void notEligible() {
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    assertThat(Waiting.awaitFailure(toClient.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[10]))).build())))
        .isInstanceOf(RpcEncodingException.class).hasMessageContaining("DDP-eligible");
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-225: what is bound while the connection is being made is served when it is announced")
  void boundWhileConnecting() {
    Future<RpcConnection> connecting = bed.channel.connect();
    bed.channel.bind(new EchoService());
    Waiting.await(connecting);
    // Behind the announcement, whichever of the two ways it took.
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    Waiting.await(accepted().call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-204: what is bound later is announced by another program of the same connection")
  void announcedLater() {
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted();
    bed.channel.bind(new EchoService());
    // The announcement was sent before this call, so it is served before it.
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
  }

  /**
   * Fails if {@code RpcChannelImpl.toAnnounce} or {@code Announcements.replace} keeps one program alone, or if a
   * program has credits of its own.
   */
  @Test
  @DisplayName("R-204: several programs share a connection, and its credits")
  void severalPrograms() {
    LedgerService ledger = new LedgerService(bed.vertx);
    RpcClient client = RpcClient.builder(bed.vertx).with(options().setReverseCredits(1)).build();
    RpcChannel channel = client.channel(bed.address()).bind(new EchoService()).bind(ledger);
    Waiting.await(channel.connect());
    RpcConnection toClient = accepted();
    Promise<Void> gate = ledger.hold();
    Future<Buffer> held = toClient.call(LedgerService.request(LedgerService.ADD, 1, new byte[1]));
    Waiting.until(() -> ledger.size() == 1);
    Future<Buffer> waits = toClient.call(EchoService.echo(new byte[1]));
    assertThat(Waiting.await(toClient.snapshot()).calls().pending()).isEqualTo(2);
    // Answered over the same connection, so that the client would have had the other call by now.
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    assertThat(waits.isComplete()).as("the other program has the only credit").isFalse();
    gate.complete();
    Waiting.await(held);
    Waiting.await(waits);
    assertThat(accepted).as("connections").isEmpty();
    Waiting.await(client.close());
  }

  @Test
  @DisplayName("R-033 R-236 B-091: both directions at once, two clients, one goes away")
  void bothDirections() {
    RpcClient other = RpcClient.builder(bed.vertx).with(options()).build();
    RpcChannel otherChannel = other.channel(bed.address()).bind(new EchoService());
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection first = accepted();
    Waiting.await(otherChannel.connect());
    RpcConnection second = accepted();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[10 * i];
      calls.add(bed.channel.call(EchoService.echo(bytes)));
      calls.add(first.call(EchoService.echo(bytes)));
      calls.add(second.call(EchoService.echo(bytes)));
    }
    calls.forEach(Waiting::await);
    Waiting.await(other.close());
    assertThat(Waiting.awaitFailure(second.call(EchoService.echo(new byte[1]))))
        .isInstanceOfAny(RpcConnectionLostException.class, RpcClosedException.class);
    Waiting.await(first.call(EchoService.echo(new byte[1])));
  }
}
