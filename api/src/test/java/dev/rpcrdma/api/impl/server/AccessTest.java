// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose calls a service takes, by procedure. */
@DisplayName("Access")
class AccessTest {

  private static final int EVERYBODY = 1;
  private static final int ALICE_ALONE = 2;
  private static final int BROKEN = 3;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Desk", 0x20060094, 1, OptionalInt.empty(),
      Map.of(EVERYBODY, new ProcedureBinding("look", 0, 0, ReplyBound.of(0)),
          ALICE_ALONE, new ProcedureBinding("order", 1, 0, ReplyBound.of(0)),
          BROKEN, new ProcedureBinding("fail", 0, 0, ReplyBound.of(0))));
  private static final OpaqueAuth ALICE = new AuthSys(0, "desk", 1000, 100, List.of()).toAuth();
  private static final OpaqueAuth BOB = new AuthSys(0, "desk", 1001, 100, List.of()).toAuth();

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Integer> served = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> intercepted = new LinkedBlockingQueue<>();
  private final BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
  private RpcServer server;

  private final RpcService desk = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public RpcAccess access(int procedure) {
      return switch (procedure) {
        case ALICE_ALONE -> user -> user.filter(known -> known.name().equals("uid:1000")).isPresent();
        case BROKEN -> user -> {
          throw new IllegalStateException("on purpose");
        };
        default -> RpcAccess.ALL;
      };
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      served.add(call.procedure());
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  };

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void serve(RpcService service) {
    server = RpcServer.builder(vertx).addServiceInterceptor((call, next) -> {
      intercepted.add(call.procedure());
      return next.handle(call);
    }).build().bind(service).connectionHandler(connections::add);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
  }

  private RpcChannel channel() {
    return RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private static RpcRequest<Void> call(int procedure, OpaqueAuth who) {
    return RpcRequest.to(BINDING, procedure).options(CallOptions.DEFAULT.withCredentials(who)).build();
  }

  private static void assertRefused(Future<?> call, AuthStatus status) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(status));
  }

  /** Fails if {@code Guarded.access} is not there, or {@code AccessAuthenticator.checked} passes all. */
  @Test
  @DisplayName("A service says by procedure whose calls it takes, and neither it nor interceptors see others")
  void byProcedure() {
    serve(desk);
    RpcChannel channel = channel();
    Waiting.await(channel.call(call(EVERYBODY, OpaqueAuth.NONE)));
    Waiting.await(channel.call(call(ALICE_ALONE, ALICE)));
    assertRefused(channel.call(call(ALICE_ALONE, BOB)), AuthStatus.TOOWEAK);
    assertRefused(channel.call(call(ALICE_ALONE, OpaqueAuth.NONE)), AuthStatus.TOOWEAK);
    assertRefused(channel.call(call(BROKEN, ALICE)), AuthStatus.FAILED);
    assertThat(served).containsExactly(EVERYBODY, ALICE_ALONE);
    assertThat(intercepted).containsExactly(EVERYBODY, ALICE_ALONE);
  }

  /** Fails if {@code RestrictedService.access} forgets either of the two. */
  @Test
  @DisplayName("A restriction of the whole service and those by procedure hold together")
  void restricted() {
    serve(desk.restrictedTo(RpcAccess.users()));
    RpcChannel channel = channel();
    assertRefused(channel.call(call(EVERYBODY, OpaqueAuth.NONE)), AuthStatus.TOOWEAK);
    Waiting.await(channel.call(call(EVERYBODY, BOB)));
    assertRefused(channel.call(call(ALICE_ALONE, BOB)), AuthStatus.TOOWEAK);
    Waiting.await(channel.call(call(ALICE_ALONE, ALICE)));
    assertThat(served).containsExactly(EVERYBODY, ALICE_ALONE);
  }

  /** Fails if {@code RestrictedProcedures.access} does not ask the service's own rule. */
  @Test
  @DisplayName("Rules by name, where a service is bound, and the service's own hold together")
  void restrictedByName() {
    serve(desk.restrictedTo(Map.of("order", user -> user.isPresent(), "look", RpcAccess.users())));
    RpcChannel channel = channel();
    assertRefused(channel.call(call(EVERYBODY, OpaqueAuth.NONE)), AuthStatus.TOOWEAK);
    Waiting.await(channel.call(call(EVERYBODY, BOB)));
    assertRefused(channel.call(call(ALICE_ALONE, BOB)), AuthStatus.TOOWEAK);
    Waiting.await(channel.call(call(ALICE_ALONE, ALICE)));
    assertThat(served).containsExactly(EVERYBODY, ALICE_ALONE);
  }

  /** Fails if {@code RestrictedProcedures.access} passes all for a procedure that it has no rule for. */
  @Test
  @DisplayName("Where no rule names a procedure the service's own rule holds")
  void restrictedInPart() {
    serve(desk.restrictedTo(Map.of("look", RpcAccess.users())));
    RpcChannel channel = channel();
    assertRefused(channel.call(call(ALICE_ALONE, BOB)), AuthStatus.TOOWEAK);
    Waiting.await(channel.call(call(ALICE_ALONE, ALICE)));
    assertThat(served).containsExactly(ALICE_ALONE);
  }

  @Test
  @DisplayName("Services of a client are restricted in the same way")
  void reverse() {
    serve(desk);
    Waiting.await(channel().bind(desk).connect());
    RpcConnection accepted = Waiting.next(connections);
    Waiting.await(accepted.call(call(ALICE_ALONE, ALICE)));
    assertRefused(accepted.call(call(ALICE_ALONE, BOB)), AuthStatus.TOOWEAK);
    assertThat(served).containsExactly(ALICE_ALONE);
  }

  /** Reading a tag that was never given would end the connection, and there would be no answer. */
  @Test
  @DisplayName("Nothing is pulled for a call that is refused")
  void nothingPulled() {
    serve(desk);
    try (VerbsBed verbs = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT)) {
      RawClient client = new RawClient(verbs, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
      String head = "00000007 00000000 00000002 20060094 00000001 00000002 00000000 00000000 00000000 00000000";
      client.send("00000007 00000001 00000020 00000000"
          + "00000001 %08x 0badc0de 00010000 0000000000000000 00000000".formatted(40) + "00000000 00000000" + head);
      assertThat(client.answer()).as("MSG_DENIED, AUTH_ERROR, AUTH_TOOWEAK")
          .endsWith("00000007 00000001 00000001 00000001 00000005");
      client.receive();
      client.send("00000008 00000001 00000020 00000000 00000000 00000000 00000000"
          + head.replace("00000007", "00000008").replace("00000001 00000002 00000000", "00000001 00000001 00000000"));
      assertThat(client.answer()).endsWith("00000008 00000001 00000000 00000000 00000000 00000000");
    }
    assertThat(served).containsExactly(EVERYBODY);
  }

  @Test
  @DisplayName("What Kerberos proves, a certificate, a token and AUTH_SYS are told apart")
  void kinds() {
    Optional<RpcUser> sys = Optional.of(new RpcUser("uid:1", new JsonObject(), Optional.empty(), RpcUser.Proof.NONE));
    Optional<RpcUser> token = Optional.of(new RpcUser("alice", new JsonObject().put("protection", "PRIVACY"),
        Optional.empty()));
    Optional<RpcUser> signed = Optional.of(new RpcUser("alice@REALM",
        new JsonObject().put("protection", "INTEGRITY"), Optional.empty(), RpcUser.Proof.KERBEROS));
    List<Optional<RpcUser>> all = List.of(Optional.empty(), sys, token, signed);
    assertThat(all).filteredOn(RpcAccess.ALL::accepts).isEqualTo(all);
    assertThat(all).filteredOn(RpcAccess.users()::accepts).containsExactly(sys, token, signed);
    assertThat(all).filteredOn(RpcAccess.provenUsers()::accepts).containsExactly(token, signed);
    assertThat(all).filteredOn(RpcAccess.protection(RpcProtection.AUTHENTICATION)::accepts).containsExactly(signed);
    assertThat(all).filteredOn(RpcAccess.protection(RpcProtection.INTEGRITY)::accepts).containsExactly(signed);
    assertThat(all).filteredOn(RpcAccess.protection(RpcProtection.PRIVACY)::accepts).isEmpty();
  }
}
