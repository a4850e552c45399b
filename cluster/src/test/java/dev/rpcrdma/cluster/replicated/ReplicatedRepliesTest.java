// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.cluster.replicated.FakeReplyMap.Fate;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.replicated.CallIdentity;
import dev.rpcrdma.protocol.replicated.ReplyEntry;
import dev.rpcrdma.protocol.replicated.ReplyHead;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that several servers execute at most once, by a map that does what can go wrong. */
class ReplicatedRepliesTest {

  private static final String INSTANCE = "0123456789abcdef0123456789abcdef";
  private static final byte[] REVERSED = new byte[9];

  private final ServerGroup group = new ServerGroup();
  private final FakeReplyMap map = new FakeReplyMap();
  private final ReplicatedRepliesOptions options = new ReplicatedRepliesOptions();
  /** Calls, and repetitions of such. */
  private final AtomicInteger arrived = new AtomicInteger();
  private ServerGroup.Member first;
  private ServerGroup.Member second;

  @BeforeEach
  void open() {
    group.clientOptions.setReconnectAttempts(1).setReconnectDelay(Duration.ofMillis(1))
        .setMaxReconnectDelay(Duration.ofMillis(20));
    start();
  }

  /** Each member has an instance of its own, as if it were another process. */
  private void start() {
    group.around = service -> counted(ReplicatedReplies.create(map, options).around(service));
    group.start(2);
    first = group.members.get(0);
    second = group.members.get(1);
  }

  private RpcService counted(RpcService service) {
    return new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return service.binding();
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        Future<XdrEncoder> answer = service.handle(call);
        arrived.incrementAndGet();
        return answer;
      }
    };
  }

  @AfterEach
  void close() {
    map.letGo();
    group.close();
  }

  private RpcChannel channel() {
    return group.channel(LoadBalancer.FIRST);
  }

  private static RpcRequest<Buffer> add(long number) {
    RpcRequest<Buffer> request = ServerGroup.add(number);
    return request.withOptions(request.options().withReplicatedReplies());
  }

  private static <T> RpcRequest<T> replicated(RpcRequest<T> request) {
    return request.withOptions(request.options().withReplicatedReplies());
  }

  private static void end(ServerGroup.Member member) {
    Waiting.await(member.server.shutdown(Duration.ZERO));
  }

  private int executions(long number) {
    return group.members.stream().mapToInt(member -> member.ledger.executions(number)).sum();
  }

  private static void assertMaybeExecuted(Future<?> call, String words) {
    assertThat(Waiting.awaitFailure(call)).hasMessageContaining(words)
        .isInstanceOfSatisfying(RpcException.class, e -> assertThat(e.maybeExecuted()).isTrue());
  }

  /** Fails if an attempt of {@code ClientCall} gives the arguments away with its answer. */
  @Test
  @DisplayName("Calls that could not be claimed take their own arguments to the next server")
  void argumentsOfManyAttempts() {
    int count = 100;
    FakeReplyMap broken = new FakeReplyMap();
    for (int i = 0; i < count; i++) {
      broken.next("insert", Fate.FAILS);
    }
    group.around = service -> ReplicatedReplies.create(broken, options).around(service);
    ServerGroup.Member third = group.start();
    // Calls wait for it while others are made.
    group.serverOptions.setForwardCredits(1);
    group.around = service -> ReplicatedReplies.create(map, options).around(service);
    group.listed = List.of(third.address(), group.start().address());
    // Bytes are used again by the thread that hears of outcomes.
    Vertx oneLoop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    RpcChannel channel = RpcClient.builder(oneLoop).with(group.clientOptions)
        .withAddressResolver(group.resolver()).withLoadBalancer(LoadBalancer.FIRST).build()
        .channel(ServerGroup.ADDRESS);
    Promise<Void> ended = Promise.promise();
    oneLoop.getOrCreateContext().runOnContext(turn -> Future.all(IntStream.range(0, 10)
        .mapToObj(loop -> inTurn(channel, loop * count / 10, (loop + 1) * count / 10)).toList())
        .<Void>mapEmpty().onComplete(ended));
    Waiting.await(ended.future());
    Waiting.await(oneLoop.close());
  }

  /** One call after the other, each with its number as its bytes. */
  private static Future<Void> inTurn(RpcChannel channel, int from, int to) {
    return from == to ? Future.succeededFuture()
        : channel.call(replicated(EchoService.echo(new byte[] {(byte) from}))).compose(echo -> {
          assertThat(echo.getBytes()).containsExactly(from);
          return inTurn(channel, from + 1, to);
        });
  }

  // Death of a server at each step

  @Test
  @DisplayName("A server that dies before it has claimed the call has not executed it, and another one does")
  void beforeClaim() {
    map.next("insert", Fate.WAITS);
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(map::waits);
    end(first);
    assertThat(Waiting.await(call).getBytes()).isEqualTo(REVERSED);
    map.letGo();
    assertThat(second.ledger.executions(1)).isEqualTo(1);
    assertThat(executions(1)).isEqualTo(1);
  }

  /**
   * Fails if {@code ClaimStep.found} lets a claim without a reply be executed, and if {@code Attempt.execute} does not
   * look whether somebody still waits.
   */
  @Test
  @DisplayName("A claim without a reply is never executed again, and is given back if its caller has gone")
  void afterClaim() {
    map.next("insert", Fate.ANSWER_WAITS);
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(map::waits);
    end(first);
    assertMaybeExecuted(call, "Another server has begun");
    assertThat(executions(1)).isZero();
    map.letGo();
    Waiting.until(map::released);
    assertThat(executions(1)).isZero();
  }

  /** A service in front of another one, whose call waits in a queue until its caller has gone. */
  private static RpcService queued(RpcService service, Promise<Void> queue) {
    return new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return service.binding();
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return queue.future().compose(turn -> CallInService.begin(call, () -> service.handle(call)));
      }
    };
  }

  /** Fails if {@code Attempt.outcome} stores that the service never began. */
  @Test
  @DisplayName("A call that its service drops in a queue of its own is given back, and not answered for good")
  void droppedByService() {
    Promise<Void> queue = Promise.promise();
    group.around = service -> ReplicatedReplies.create(map, options).around(queued(service, queue));
    ServerGroup.Member third = group.start();
    group.listed = List.of(third.address(), second.address());
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(() -> map.operations.contains("insert"));
    Waiting.until(() -> !third.accepted.isEmpty());
    end(third);
    assertMaybeExecuted(call, "Another server has begun");
    queue.complete();
    Waiting.until(map::released);
    assertThat(executions(1)).isZero();
  }

  @Test
  @DisplayName("A server that dies while it executes the call may have executed it")
  void whileExecuting() {
    first.ledger.hold();
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    end(first);
    assertMaybeExecuted(call, "Another server has begun");
    assertThat(executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("A server that dies before it has stored the reply may have executed the call")
  void beforeStore() {
    map.next("store", Fate.WAITS);
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(map::waits);
    end(first);
    assertMaybeExecuted(call, "Another server has begun");
    assertThat(executions(1)).isEqualTo(1);
  }

  /** Fails if {@code Failover.mayGoOn} does not let it go on. */
  @Test
  @DisplayName("A reply that was stored is given by another server, placed where it is to be placed")
  void afterStore() {
    map.next("store", Fate.ANSWER_WAITS);
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(map::waits);
    end(first);
    assertThat(Waiting.await(call).getBytes()).isEqualTo(REVERSED);
    assertThat(first.ledger.executions(1)).isEqualTo(1);
    assertThat(executions(1)).isEqualTo(1);
  }

  // What the map can do to a claim

  @ParameterizedTest
  @EnumSource(value = Fate.class, names = {"FAILS", "ANSWER_FAILS"})
  @DisplayName("A claim that fails is taken back, and the call goes to another server")
  void claimFails(Fate fate) {
    map.next("insert", fate);
    assertThat(Waiting.await(channel().call(add(1))).getBytes()).isEqualTo(REVERSED);
    assertThat(second.ledger.executions(1)).isEqualTo(1);
    assertThat(executions(1)).isEqualTo(1);
    assertThat(map.operations).contains("release");
  }

  /** Fails if {@code ClaimStep.failed} of an insertion is the end. */
  @Test
  @DisplayName("The next server gets a call when its claim has been taken back, not before")
  void takenBackFirst() {
    map.next("insert", Fate.ANSWER_FAILS);
    map.next("release", Fate.WAITS);
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(map::waits);
    // The call would have been there long before.
    group.vertx.setTimer(300, timer -> map.letGo());
    assertThat(Waiting.await(call).getBytes()).isEqualTo(REVERSED);
    assertThat(second.ledger.executions(1)).isEqualTo(1);
    assertThat(executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("A claim that takes too long has failed; when it comes after all, nobody executes the call")
  void claimTooLate() {
    options.setMapTimeout(Duration.ofMillis(50));
    group.listed = List.of();
    group.members.forEach(ReplicatedRepliesTest::end);
    group.members.clear();
    start();
    map.next("insert", Fate.ANSWER_WAITS);
    map.next("release", Fate.FAILS);
    assertMaybeExecuted(channel().call(add(1)), "Another server has begun");
    map.letGo();
    Waiting.await(group.client.channel(ServerGroup.ADDRESS).call(add(3)));
    assertThat(executions(1)).isZero();
  }

  @Test
  @DisplayName("A call that no server can claim fails, and was not executed")
  void noClaim() {
    map.next("insert", Fate.FAILS);
    map.next("insert", Fate.FAILS);
    assertThat(Waiting.awaitFailure(channel().call(add(1)))).isInstanceOfSatisfying(RpcResourceException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(executions(1)).isZero();
  }

  /** Fails if {@code Failover.maybeExecutedBefore} leaves an {@link RpcResourceException} as it is. */
  @Test
  @DisplayName("A call that the second server cannot claim may have been executed by the first")
  void noClaimAfterDeath() {
    first.ledger.hold();
    Future<Buffer> call = channel().call(add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    map.next("insert", Fate.FAILS);
    end(first);
    assertMaybeExecuted(call, "cannot reach the map");
  }

  @Test
  @DisplayName("A map that throws, and one that cannot be had, are maps that fail")
  void noMap() {
    map.next("insert", null);
    map.next("insert", Fate.FAILS);
    assertThat(Waiting.awaitFailure(channel().call(add(1)))).isInstanceOf(RpcResourceException.class);
    Waiting.await(group.client.channel(ServerGroup.ADDRESS).call(add(3)));
  }

  /** Fails if {@code ClaimStep.found} does not know its own claim. */
  @Test
  @DisplayName("A claim that the map has made, and says that it has not, is known by its owner")
  void doneTwice() {
    RpcChannel channel = channel();
    map.next("insert", Fate.DONE_TWICE);
    Waiting.await(channel.call(add(1)));
    map.next("claim", Fate.DONE_TWICE);
    Waiting.await(channel.call(add(3)));
    map.next("store", Fate.DONE_TWICE);
    Waiting.await(channel.call(add(5)));
    assertThat(first.ledger.size()).isEqualTo(3);
    assertThat(map.operations).contains("read");
  }

  @ParameterizedTest
  @EnumSource(value = Fate.class, names = {"FAILS", "ANSWER_FAILS", "WAITS"})
  @DisplayName("A reply that cannot be stored in time is given all the same")
  void storeFails(Fate fate) {
    options.setMapTimeout(Duration.ofMillis(50));
    end(first);
    end(second);
    group.members.clear();
    start();
    map.next("store", fate);
    assertThat(Waiting.await(channel().call(add(1))).getBytes()).isEqualTo(REVERSED);
    assertThat(executions(1)).isEqualTo(1);
  }

  // What is kept

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A client has as many entries as it has had calls at a time")
  void entries(boolean timesReplaced) {
    map.timesReplaced = timesReplaced;
    RpcChannel channel = channel();
    for (int i = 1; i < 50; i += 2) {
      Waiting.await(channel.call(add(i)));
    }
    assertThat(map.entries).hasSize(1);
    assertThat(map.only().number()).isEqualTo(25);
    Promise<Void> gate = first.ledger.hold();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 51; i < 61; i += 2) {
      calls.add(channel.call(add(i)));
    }
    Waiting.until(() -> first.ledger.size() == 30);
    gate.complete();
    Waiting.await(Future.all(calls));
    assertThat(map.entries).hasSize(5);
    assertThat(first.ledger.size()).isEqualTo(30);
  }

  @Test
  @DisplayName("Calls that only look, and those of others, leave nothing in the map")
  void others() {
    RpcChannel channel = channel();
    Waiting.await(channel.call(replicated(ServerGroup.look(1))));
    Waiting.await(channel.call(ServerGroup.add(3)));
    assertThat(map.operations).isEmpty();
  }

  @Test
  @DisplayName("A reply that is too large is given, and not kept")
  void large() {
    options.setMaxReplyBytes(8);
    end(first);
    end(second);
    group.members.clear();
    start();
    assertThat(Waiting.await(channel().call(add(1))).getBytes()).isEqualTo(REVERSED);
    assertThat(map.only().state()).isEqualTo(ReplyEntry.State.GONE);
    map.next("store", Fate.ANSWER_WAITS);
    Future<Buffer> call = group.client.channel(ServerGroup.ADDRESS).call(add(3));
    Waiting.until(map::waits);
    end(first);
    assertMaybeExecuted(call, "too large");
    assertThat(executions(3)).isEqualTo(1);
  }

  @Test
  @DisplayName("A service that fails has executed the call; one that refuses it at once has not")
  void failures() {
    RpcChannel channel = channel();
    assertThat(Waiting.awaitFailure(channel.call(replicated(EchoService.call(EchoService.THROW)))))
        .isInstanceOf(RpcRejectedException.class);
    assertThat(map.only().state()).isEqualTo(ReplyEntry.State.ANSWERED);
    assertThat(Waiting.awaitFailure(channel.call(replicated(EchoService.call(EchoService.BAD_RESULTS)))))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    assertThat(map.only().state()).isEqualTo(ReplyEntry.State.ANSWERED);
    assertThat(Waiting.awaitFailure(channel.call(replicated(EchoService.call(EchoService.STATUS)))))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.PROC_UNAVAIL));
    assertThat(map.only().state()).isEqualTo(ReplyEntry.State.RELEASED);
    assertThat(map.only().number()).isEqualTo(3);
    assertThat(Waiting.awaitFailure(channel.call(replicated(EchoService.call(EchoService.ECHO)))))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.GARBAGE_ARGS));
    assertThat(map.only().state()).isEqualTo(ReplyEntry.State.RELEASED);
  }

  @Test
  @DisplayName("A failure that was stored is given by another server")
  void failureAgain() {
    map.next("store", Fate.ANSWER_WAITS);
    Future<Void> call = channel().call(replicated(EchoService.call(EchoService.THROW)));
    Waiting.until(map::waits);
    end(first);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
  }

  // Messages that nobody should send

  /** What a server says in front of the results of a call with this identity. */
  private Future<ReplyHead> identified(ServerGroup.Member member, CallOptions options, long number, String identity) {
    RpcClient client = RpcClient.create(group.vertx, group.clientOptions);
    RpcRequest<Buffer> request = ServerGroup.add(number);
    return client.channel(member.address())
        .call(request.withOptions(options.withHeader(CallIdentity.HEADER, identity))
            .withResults(reader -> {
              ReplyHead head = ReplyHead.of(reader.int32()).orElseThrow();
              if (head == ReplyHead.RESULTS) {
                request.results().decode(reader);
              }
              return head;
            }, ReplyHead.LENGTH))
        .eventually(client::close);
  }

  private Future<ReplyHead> identified(ServerGroup.Member member, long number, String identity) {
    return identified(member, CallOptions.DEFAULT, number, identity);
  }

  @Test
  @DisplayName("A late message is not executed, by whatever server")
  void late() {
    assertThat(Waiting.await(identified(first, 1, INSTANCE + ".0.7"))).isEqualTo(ReplyHead.RESULTS);
    for (ServerGroup.Member member : group.members) {
      assertThat(Waiting.await(identified(member, 3, INSTANCE + ".0.6"))).isEqualTo(ReplyHead.LATE);
      assertThat(Waiting.await(identified(member, 1, INSTANCE + ".0.7"))).isEqualTo(ReplyHead.RESULTS);
    }
    assertThat(executions(3)).isZero();
    assertThat(executions(1)).isEqualTo(1);
  }

  /** Fails if {@code ReplicatedService} does not keep what is running. */
  @Test
  @DisplayName("A repetition joins the execution in progress of its own server")
  void joins() {
    Promise<Void> gate = first.ledger.hold();
    Future<ReplyHead> one = identified(first, 1, INSTANCE + ".0.1");
    Waiting.until(() -> first.ledger.size() == 1);
    Future<ReplyHead> other = identified(first, 1, INSTANCE + ".0.1");
    Waiting.until(() -> arrived.get() == 2);
    assertThat(Waiting.await(identified(second, 1, INSTANCE + ".0.1"))).isEqualTo(ReplyHead.CLAIMED_BEFORE);
    gate.complete();
    assertThat(Waiting.await(one)).isEqualTo(ReplyHead.RESULTS);
    assertThat(Waiting.await(other)).isEqualTo(ReplyHead.RESULTS);
    assertThat(executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("Who joins an execution whose reply is too large hears so; a stranger does not join")
  void joinsWithoutReply() {
    options.setMaxReplyBytes(8);
    group.members.forEach(ReplicatedRepliesTest::end);
    group.members.clear();
    start();
    Promise<Void> gate = first.ledger.hold();
    Future<ReplyHead> one = identified(first, 1, INSTANCE + ".0.1");
    Waiting.until(() -> arrived.get() == 1);
    Future<ReplyHead> other = identified(first, 1, INSTANCE + ".0.1");
    Future<ReplyHead> stranger = identified(first, CallOptions.DEFAULT.withCredentials(
        new AuthSys(0, "host", 0, 0, List.of()).toAuth()), 1, INSTANCE + ".0.1");
    Waiting.until(() -> arrived.get() == 3);
    assertThat(Waiting.await(stranger)).isEqualTo(ReplyHead.OTHER_USER);
    gate.complete();
    assertThat(Waiting.await(one)).isEqualTo(ReplyHead.RESULTS);
    assertThat(Waiting.await(other)).isEqualTo(ReplyHead.REPLY_GONE);
    assertThat(executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("Procedures that may be repeated within a session are not, here; those that only look are as ever")
  void idempotent() {
    UpperLayerBinding binding = new UpperLayerBinding(7, 1, OptionalInt.empty(), Map.of(
        1, new ProcedureBinding("SET", 1, 2, ReplyBound.of(4)).asIdempotent(),
        2, new ProcedureBinding("GET", 0, 0, ReplyBound.of(4)).asReadOnly()));
    RpcService service = new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return binding;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        throw new AssertionError("Nobody calls it");
      }
    };
    UpperLayerBinding replicated = ReplicatedReplies.create(map, options).around(service).binding();
    assertThat(replicated.procedure(1)).contains(new ProcedureBinding("SET", 1, 2, ReplyBound.of(4)));
    assertThat(replicated.procedure(2)).isEqualTo(binding.procedure(2));
    assertThat(replicated.describe()).isEqualTo(binding.describe());
  }

  @Test
  @DisplayName("Nobody gets the reply of another user")
  void otherUser() {
    CallOptions root = CallOptions.DEFAULT.withCredentials(new AuthSys(0, "host", 0, 0, List.of()).toAuth());
    assertThat(Waiting.await(identified(first, root, 1, INSTANCE + ".0.1"))).isEqualTo(ReplyHead.RESULTS);
    assertThat(Waiting.await(identified(first, 1, INSTANCE + ".0.1"))).isEqualTo(ReplyHead.OTHER_USER);
    assertThat(Waiting.await(identified(second, 1, INSTANCE + ".0.1"))).isEqualTo(ReplyHead.OTHER_USER);
    assertThat(Waiting.await(identified(second, root, 1, INSTANCE + ".0.1"))).isEqualTo(ReplyHead.RESULTS);
    assertThat(executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("What is no identity is refused")
  void noIdentity() {
    assertThat(Waiting.awaitFailure(identified(first, 1, "mine"))).isInstanceOfSatisfying(
        RpcRejectedException.class, e -> assertThat(e.acceptStatus()).contains(AcceptStatus.GARBAGE_ARGS));
    assertThat(executions(1)).isZero();
  }

  // Mistakes

  @Test
  @DisplayName("A server that does not keep replies with others is found out by its first answer")
  void notReplicated() {
    group.around = service -> service;
    group.listed = List.of(group.start().address());
    assertThat(Waiting.awaitFailure(channel().call(add(1)))).isInstanceOf(RpcDecodingException.class)
        .hasMessageContaining("ReplicatedReplies");
  }

  /** Fails if {@code Requester.start} does not ask whether the call needs metadata. */
  @Test
  @DisplayName("To a server that takes no metadata such a call is not sent")
  void noMetadata() {
    group.serverOptions.setMetadata(false);
    ServerGroup.Member third = group.start();
    group.listed = List.of(third.address());
    assertThat(Waiting.awaitFailure(channel().call(add(1)))).hasMessageContaining("metadata")
        .isInstanceOfSatisfying(RpcTransportException.class, e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(executions(1)).isZero();
  }

  @Test
  @DisplayName("A call whose headers leave no room for its identity is not sent, and leaves its slot")
  void noRoom() {
    RpcRequest<Buffer> request = add(1);
    RpcChannel channel = channel();
    assertThat(Waiting.awaitFailure(channel.call(
        request.withOptions(request.options().withHeader("much", "x".repeat(980))))))
        .isInstanceOf(RpcEncodingException.class).hasMessageContaining("identity");
    Waiting.await(channel.call(add(3)));
    assertThat(map.entries.keySet()).allMatch(key -> key.endsWith(".0"));
  }

  @Test
  @DisplayName("A Vert.x that is no node of a cluster has no map that others see")
  void notClustered() {
    assertThatThrownBy(() -> ReplicatedReplies.create(group.vertx, options)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cluster");
  }

  @Test
  @DisplayName("Options are checked, and are the same from JSON")
  void optionsAreChecked() {
    options.setMapName("orders").setEntryTime(Duration.ofHours(2)).setMapTimeout(Duration.ofMillis(700))
        .setMaxReplyBytes(1);
    assertThat(new ReplicatedRepliesOptions(options.toJson()).toJson()).isEqualTo(options.toJson());
    assertThat(new ReplicatedRepliesOptions(options).toJson()).isEqualTo(options.toJson());
    assertThatThrownBy(() -> options.setMapName("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.setEntryTime(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.setMapTimeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.setMaxReplyBytes(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
