// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Ends at the wrong moment: while rdma-core is at work, behind the device's close, and of Vert.x first. */
@NeedsRdmaHeaders
class LifetimeTest {

  /** What is called while a connection is made and ends. */
  private static final List<String> FUNCTIONS = List.of("rdma_create_id", "rdma_resolve_addr", "rdma_resolve_route",
      "ibv_alloc_pd", "ibv_create_cq", "rdma_create_qp", "ibv_reg_mr", "ibv_post_recv", "rdma_connect", "rdma_accept",
      "rdma_disconnect", "rdma_destroy_qp", "ibv_dereg_mr", "ibv_dealloc_pd", "ibv_destroy_cq");

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  static Stream<Arguments> functions() {
    return Stream.of(Kind.values()).flatMap(kind -> FUNCTIONS.stream().map(name -> Arguments.of(kind, name)));
  }

  /** Fails if {@code Startup.undo} does not wait for the step that is under way. */
  @ParameterizedTest
  @MethodSource("functions")
  @DisplayName("B-133: a device that is closed while a function is at work waits for it, and uses nothing behind it")
  void closedMeanwhile(Kind kind, String function) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      Peer client = bed.client();
      server.receive(1, 64);
      client.receive(1, 64);
      VerbsListener listener = bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      long before = fabric.control().fakeCalls(function);
      fabric.control().fakeHold(function, 1);
      Future<Void> connected = bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT)
          .compose(QueuePair::close);
      Waiting.until(() -> fabric.control().fakeCalls(function) > before);
      Future<Void> closed = bed.device().close();
      fabric.control().fakeHold(function, 0);
      Waiting.await(closed);
      Waiting.outcome(connected);
    }
  }

  /**
   * Fails if {@code IbverbsExposures.expose} tells of what the device says though {@code IbverbsConnection.isEnding}.
   */
  @ParameterizedTest
  @EnumSource
  @DisplayName("Memory that cannot be registered since the connection ends meanwhile fails by that, and by nothing else")
  void exposedMeanwhile(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsBed.Pair pair = bed.connect(bed.client(), bed.server());
      LocalMemory memory = pair.client().memory(64);
      fabric.control().fakeHold("ibv_reg_mr", 1);
      long registrations = fabric.control().fakeCalls("ibv_reg_mr");
      long disconnects = fabric.control().fakeCalls("rdma_disconnect");
      pair.client().post(owned -> owned.expose(this, memory, 0, 64, Access.REMOTE_READ));
      Waiting.until(() -> fabric.control().fakeCalls("ibv_reg_mr") > registrations);
      Future<Void> closed = pair.server().close();
      // That of each end.
      Waiting.until(() -> fabric.control().fakeCalls("rdma_disconnect") == disconnects + 2);
      fabric.control().fakeFail("ibv_reg_mr", Errno.EINVAL, 0, 1);
      fabric.control().fakeHold("ibv_reg_mr", 0);
      Exposure exposure = pair.client().handler().next(Exposed.class).exposure();
      assertThat(exposure.failure().map(VerbsException::kind)).contains(VerbsException.Kind.DISCONNECTED);
      pair.client().handler().next(Disconnected.class);
      Waiting.await(closed);
    }
  }

  /** Software iWARP waits in the kernel for a host that does not answer. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-008: a connect that the kernel does not come back from fails at its deadline, and goes when it does")
  void kernelWaits(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(request -> bed.accept(request, bed.server(), FakeFabric.SHORT));
      fabric.control().fakeHold("rdma_connect", 1);
      Throwable failure = Waiting.awaitFailure(
          bed.connect(listener.localAddress(), bed.client(), FakeFabric.SHORT));
      assertThat(((VerbsException) failure).kind()).isEqualTo(VerbsException.Kind.TIMEOUT);
      assertThat(fabric.control().fakeAliveOf("queue pair")).isOne();
      fabric.control().fakeHold("rdma_connect", 0);
      Waiting.until(() -> fabric.control().fakeAliveOf("queue pair") == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B-124: a device that is closed takes nothing, and says so")
  void closedDevice(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(request -> { });
      SocketAddress address = listener.localAddress();
      Waiting.await(bed.device().close());
      for (Future<?> future : List.of(bed.connect(address, bed.client(), FakeFabric.SHORT),
          bed.device().listen(bed.context(), bed.anyPort(), request -> { }))) {
        assertThat(((VerbsException) Waiting.awaitFailure(future)).kind()).isEqualTo(VerbsException.Kind.CLOSED);
      }
      Waiting.await(listener.close());
      Waiting.await(bed.device().close());
    }
  }

  static Stream<Arguments> kindsAndTransports() {
    return Stream.of(Kind.values()).flatMap(kind -> Stream.of(true, false).map(epoll -> Arguments.of(kind, epoll)));
  }

  /**
   * Fails if work whose loop has ended is given up by {@code IbverbsWorkers.run}, or a channel waits for such a loop.
   */
  @ParameterizedTest
  @MethodSource("kindsAndTransports")
  @DisplayName("A device that is closed behind its Vert.x gives back all that is native")
  void vertxFirst(Kind kind, boolean epoll) {
    fabric.reset(kind);
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(epoll));
    VerbsDevice device = fabric.provider().open(vertx, DeviceOptions.DEFAULT);
    ProtectionDomain domain = device.allocateProtectionDomain();
    Promise<QueuePair> accepted = Promise.promise();
    RecordingHandler idle = new RecordingHandler();
    VerbsListener listener = Waiting.await(device.listen(vertx.getOrCreateContext(),
        SocketAddress.inetSocketAddress(0, VerbsBed.HOST), request -> request.accept(vertx.getOrCreateContext(), domain,
            ConnectionOptions.DEFAULT, pair -> idle).onComplete(accepted)));
    Waiting.await(device.connect(vertx.getOrCreateContext(), listener.localAddress(), domain,
        ConnectionOptions.DEFAULT, pair -> idle));
    Waiting.await(accepted.future());
    Waiting.await(vertx.close());
    Waiting.await(device.close());
  }
}
