// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.FakeFabric.Role;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Established;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that get another event than they wait for, or none, at each step. */
@NeedsRdmaHeaders
@Tag("slow")
class ConnectingEventsTest {

  private static final List<Integer> STEPS =
      List.of(Numbers.ADDR_RESOLVED, Numbers.ROUTE_RESOLVED, Numbers.ESTABLISHED);

  /** Types and statuses, and the kinds of failure that they are. */
  private static final List<Arguments> TROUBLES = List.of(
      Arguments.of(Numbers.ADDR_ERROR, -19, VerbsException.Kind.UNREACHABLE),
      Arguments.of(Numbers.ROUTE_ERROR, -113, VerbsException.Kind.UNREACHABLE),
      Arguments.of(Numbers.UNREACHABLE, -110, VerbsException.Kind.TIMEOUT),
      Arguments.of(Numbers.CONNECT_ERROR, -12, VerbsException.Kind.PROTOCOL),
      Arguments.of(Numbers.REJECTED, 3, VerbsException.Kind.PROTOCOL),
      Arguments.of(Numbers.DISCONNECTED, 0, VerbsException.Kind.DISCONNECTED),
      Arguments.of(Numbers.DEVICE_REMOVAL, 0, VerbsException.Kind.UNAVAILABLE),
      Arguments.of(5, 0, VerbsException.Kind.PROTOCOL),
      Arguments.of(99, 7, VerbsException.Kind.PROTOCOL),
      Arguments.of(Integer.MAX_VALUE, 0, VerbsException.Kind.PROTOCOL),
      Arguments.of(FakeFabric.NO_EVENT, 0, VerbsException.Kind.TIMEOUT),
      Arguments.of(Numbers.ADDR_CHANGE, 0, VerbsException.Kind.TIMEOUT));

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  static Stream<Arguments> troubles() {
    return TROUBLES.stream();
  }

  /** Those that only a deadline ends do not take long. */
  private static ConnectionOptions until(VerbsException.Kind expected) {
    return expected == VerbsException.Kind.TIMEOUT ? FakeFabric.BRIEF : ConnectionOptions.DEFAULT;
  }

  private static void assertKind(Future<?> future, VerbsException.Kind kind) {
    assertThat(Waiting.awaitFailure(future)).isInstanceOf(VerbsException.class)
        .extracting(failure -> ((VerbsException) failure).kind()).isEqualTo(kind);
  }

  /** Fails if {@code Startup.proceed} takes an event for one that goes on, or {@code begin} sets no deadline. */
  @ParameterizedTest
  @MethodSource("troubles")
  @DisplayName("B-123, B-130: whatever the connecting side gets instead, it fails as that, and the other side ends")
  void connectingSide(int type, int status, VerbsException.Kind expected) {
    for (Kind kind : Kind.values()) {
      for (int step : STEPS) {
        fabric.reset(kind);
        try (VerbsBed bed = fabric.bed()) {
          // siw tells the accepting side first.
          long skip = step == Numbers.ESTABLISHED && fabric.isSiw() ? 1 : 0;
          fabric.control().fakeInstead(step, type, status, skip, 1);
          List<Future<QueuePair>> accepted = new CopyOnWriteArrayList<>();
          VerbsListener listener = bed.listen(request ->
              accepted.add(bed.accept(request, bed.server(), ConnectionOptions.DEFAULT)));
          assertKind(bed.connect(listener.localAddress(), bed.client(), until(expected)), expected);
          assertThat(accepted).hasSizeLessThan(2);
          accepted.forEach(Waiting::outcome);
        }
        fabric.assertNothingLeft();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("troubles")
  @DisplayName("B-123, B-130: whatever the accepting side gets instead, it fails as that, and the other side ends")
  void acceptingSide(int type, int status, VerbsException.Kind expected) {
    for (Kind kind : Kind.values()) {
      fabric.reset(kind);
      try (VerbsBed bed = fabric.bed()) {
        fabric.control().fakeInstead(Numbers.ESTABLISHED, type, status, fabric.isSiw() ? 0 : 1, 1);
        Promise<QueuePair> accepted = Promise.promise();
        VerbsListener listener = bed.listen(request ->
            bed.accept(request, bed.server(), until(expected)).onComplete(accepted));
        Peer client = bed.client();
        Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
        assertKind(accepted.future(), expected);
        client.awaitDisconnected();
      }
      fabric.assertNothingLeft();
    }
  }

  /** Fails if neither {@code Startup.happened} nor {@code IbverbsConnection.open} looks whether it has failed. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-122: what comes behind the failure of a connection changes nothing")
  void afterFailure(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      fabric.control().fakeInstead(Numbers.ESTABLISHED, FakeFabric.NO_EVENT, 0, 0, FakeFabric.ALWAYS);
      VerbsListener listener = bed.listen(request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
      Peer client = bed.client();
      fabric.control().fakeHold("rdma_destroy_qp", 1);
      assertKind(bed.connect(listener.localAddress(), client, FakeFabric.SHORT), VerbsException.Kind.TIMEOUT);
      fabric.control().fakeInstead(FakeFabric.ANY_EVENT, Numbers.ESTABLISHED, 0, 0, 1);
      for (int type : List.of(Numbers.ADDR_RESOLVED, Numbers.ROUTE_RESOLVED, Numbers.DISCONNECTED, 77)) {
        assertThat(fabric.control().fakeEvent(Role.CONNECTS.ordinal(), type, 0)).isOne();
      }
      fabric.control().fakeHold("rdma_destroy_qp", 0);
      client.awaitDisconnected();
      assertThat(client.handler().events()).noneMatch(Established.class::isInstance);
    }
  }

  /** Fails if {@code CmChannel.tell} gives a request to nobody at all. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A request that comes while its listener is closed is refused, and leaves nothing")
  void listenerCloses(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(request -> { });
      fabric.control().fakeHold("rdma_destroy_id", 1);
      long before = fabric.control().fakeCalls("rdma_destroy_id");
      Future<Void> closed = listener.close();
      Waiting.until(() -> fabric.control().fakeCalls("rdma_destroy_id") > before);
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      Waiting.until(() -> fabric.control().fakeCalls("rdma_destroy_id") > before + 1);
      fabric.control().fakeHold("rdma_destroy_id", 0);
      assertKind(connecting, VerbsException.Kind.REJECTED);
      Waiting.await(closed);
    }
  }

  /** Fails if {@code Listener.requested} sets no timer. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("P-004: a request that nobody answers is refused when its time is over")
  void unanswered(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(request -> { });
      assertKind(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT),
          VerbsException.Kind.REJECTED);
    }
  }

  /** Fails if {@code Listener.end} leaves requests that nobody has answered. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("P-004: a request that waits for an answer is refused when its listener closes")
  void closedBeforeAnswer(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = new VerbsBed(fabric.provider(), DeviceOptions.DEFAULT.withSettings(new JsonObject()
        .put("startupTimeoutMillis", Waiting.DEADLINE.multipliedBy(2).toMillis())))) {
      Promise<ConnectionRequest> asked = Promise.promise();
      VerbsListener listener = bed.listen(asked::complete);
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      ConnectionRequest request = Waiting.await(asked.future());
      Waiting.await(listener.close());
      assertKind(connecting, VerbsException.Kind.REJECTED);
      assertThat(Waiting.awaitFailure(bed.accept(request, bed.server(), ConnectionOptions.DEFAULT)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** Fails if {@code IbverbsDevice.close} destroys the event channel while a worker rejects. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-127: a request whose client has gone can be accepted or rejected, and fails so")
  void clientGone(Kind kind) {
    for (boolean accepts : List.of(true, false)) {
      fabric.reset(kind);
      try (VerbsBed bed = fabric.bed()) {
        Promise<ConnectionRequest> asked = Promise.promise();
        VerbsListener listener = bed.listen(asked::complete);
        Peer client = bed.client();
        Future<QueuePair> connecting = bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT);
        ConnectionRequest request = Waiting.await(asked.future());
        fabric.control().fakeEvent(Role.CONNECTS.ordinal(), Numbers.CONNECT_ERROR, 0);
        assertKind(connecting, VerbsException.Kind.PROTOCOL);
        client.awaitDisconnected();
        Waiting.until(() -> fabric.control().fakeAliveOf("connection identifier") == 2);
        Future<?> answered = accepts ? bed.accept(request, bed.server(), FakeFabric.SHORT)
            : request.reject(Buffer.buffer());
        assertThat(Waiting.awaitFailure(answered)).isInstanceOf(VerbsException.class);
      }
      fabric.assertNothingLeft();
    }
  }

  /** Fails if {@code IbverbsDevice.close} destroys the event channel while a worker rejects. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A device closes behind the rejections that are under way")
  void closedWhileRejecting(Kind kind) {
    fabric.reset(kind);
    Promise<Void> rejected = Promise.promise();
    try (VerbsBed bed = fabric.bed()) {
      fabric.control().fakeHold("rdma_reject", 1);
      VerbsListener listener = bed.listen(request -> request.reject(Buffer.buffer()).onComplete(rejected));
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), bed.client(), FakeFabric.SHORT);
      Waiting.until(() -> fabric.control().fakeCalls("rdma_reject") > 0);
      assertKind(connecting, VerbsException.Kind.TIMEOUT);
    }
    assertThat(fabric.control().fakeViolations()).isEmpty();
    fabric.control().fakeHold("rdma_reject", 0);
    Waiting.outcome(rejected.future());
  }

  /** Fails if {@code Listener.event} does not compare devices. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("What leads to another device, or comes from there, is refused with its name")
  void otherDevice(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(SocketAddress.inetSocketAddress(0, "0.0.0.0"),
          request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
      Future<QueuePair> connecting = bed.connect(SocketAddress.inetSocketAddress(
          listener.localAddress().port(), "127.0.0.9"), bed.client(), ConnectionOptions.DEFAULT);
      assertThat(Waiting.awaitFailure(connecting)).hasMessageContaining(bed.device().name());
      assertThat(Waiting.awaitFailure(bed.device().listen(bed.context(),
          SocketAddress.inetSocketAddress(0, "127.0.0.9"), request -> { })))
          .hasMessageContaining("another RDMA device than " + bed.device().name());
      try (VerbsBed other = new VerbsBed(fabric.provider(), DeviceOptions.DEFAULT.withSettings(new JsonObject()
          .put("device", fabric.isSiw() ? "fakeroce" : "fakesiw")))) {
        assertKind(other.connect(SocketAddress.inetSocketAddress(listener.localAddress().port(), "127.0.0.9"),
            other.client(), ConnectionOptions.DEFAULT), VerbsException.Kind.REJECTED);
      }
    }
  }
}
