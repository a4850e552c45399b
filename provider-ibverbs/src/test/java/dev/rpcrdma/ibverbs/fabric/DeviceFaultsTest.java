// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.FakeFabric.Role;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.connect.CmChannel;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Open connections on a device that errs: each ends, with a reason, and all that was posted is given back. */
@NeedsRdmaHeaders
@Tag("slow")
class DeviceFaultsTest {

  private static final int WC_STATUSES = 24;

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  /** Both ends have Receives posted, and one of them an exposure; whatever the fault, both disconnect. */
  private List<DisconnectReason> reasons(Kind kind, Consumer<VerbsBed.Pair> fault) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      Peer client = bed.client();
      Peer server = bed.server();
      for (int i = 0; i < 3; i++) {
        client.receive(i, 64);
        server.receive(i, 64);
      }
      VerbsBed.Pair pair = bed.connect(client, server);
      fault.accept(pair);
      List<DisconnectReason> reasons =
          List.of(client.awaitDisconnected().reason(), server.awaitDisconnected().reason());
      for (Peer peer : List.of(client, server)) {
        assertThat(peer.handler().events().stream().filter(event -> event instanceof Completed done
            && done.opcode() == Opcode.RECEIVE).map(event -> ((Completed) event).id()).limit(3)).as("Receives")
            .containsExactly(0L, 1L, 2L);
        assertThat(peer.handler().events()).last().isInstanceOf(Disconnected.class);
        LocalMemory memory = peer.memory(8);
        for (Consumer<Peer> late : List.<Consumer<Peer>>of(
            each -> each.run(owned -> owned.postReceive(1, memory, 0, 8)),
            each -> each.run(owned -> owned.postSend(1, memory, 0, 8)),
            each -> each.run(owned -> owned.expose(1, memory, 0, 8, Access.REMOTE_READ)),
            each -> each.run(owned -> owned.flush()))) {
          assertThatThrownBy(() -> late.accept(peer)).isInstanceOf(IllegalStateException.class);
        }
      }
      return reasons;
    }
  }

  private static void exchange(VerbsBed.Pair pair) {
    LocalMemory memory = pair.client().memory(64);
    Exposure exposure = pair.server().expose(pair.server().memory(64), Access.REMOTE_WRITE);
    Exposure readable = pair.server().expose(pair.server().memory(64), Access.REMOTE_READ);
    pair.client().post(owned -> {
      owned.postWrite(10, memory, 0, 64, exposure.steeringTag(), exposure.remoteOffset());
      owned.postRead(11, memory, 0, 64, readable.steeringTag(), readable.remoteOffset());
      owned.postSend(12, memory, 0, 64);
    });
  }

  private void assertTold(List<DisconnectReason> reasons, String words) {
    assertThat(reasons).extracting(DisconnectReason::detail).anyMatch(detail -> detail.contains(words));
    assertThat(reasons).extracting(DisconnectReason::kind).doesNotContain(DisconnectReason.Kind.LOCAL_CLOSE);
  }

  /** Fails if {@code IbverbsConnection.failed} lets an error pass, or {@code WcStatus} does not know all of them. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("P-022: each error status of each kind of request ends the connection, and the request as failed")
  void statuses(Kind kind) {
    for (Map.Entry<Integer, Opcode> operation : Map.of(Numbers.WR_SEND, Opcode.SEND, Numbers.WR_RDMA_WRITE,
        Opcode.WRITE, Numbers.WR_RDMA_READ, Opcode.READ).entrySet()) {
      for (int status = 1; status < WC_STATUSES; status++) {
        int wrong = status;
        Peer[] client = new Peer[1];
        List<DisconnectReason> reasons = reasons(kind, pair -> {
          fabric.control().fakeStatus(operation.getKey(), wrong, 1);
          client[0] = pair.client();
          exchange(pair);
        });
        assertThat(reasons).extracting(DisconnectReason::detail).allMatch(detail -> !detail.isEmpty());
        if (operation.getValue() == Opcode.READ) {
          Completed done = client[0].handler().completion(Opcode.READ);
          assertThat(done.status()).isEqualTo(wrong == Numbers.WC_WR_FLUSH_ERR ? Status.FLUSHED : Status.ERROR);
        }
      }
    }
  }

  /** Fails if {@code SendLedger.completed} or {@code ReceiveLedger.isOldest} takes any number. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5, 1000, -2, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62 | 1, 1L << 62 | 99})
  @DisplayName("A completion of a request that there is not ends the connection")
  void unknownRequest(long request) {
    for (Kind kind : Kind.values()) {
      assertTold(reasons(kind, pair -> assertThat(fabric.control().fakeComplete(Role.ACCEPTS.ordinal(), request, 0, 8))
          .isOne()), "The device has ");
    }
  }

  /** Fails if {@code IbverbsConnection.poll} goes on after an error. */
  @ParameterizedTest
  @ValueSource(strings = {"ibv_poll_cq", "ibv_req_notify_cq", "ibv_get_cq_event", "ibv_post_send", "ibv_post_recv"})
  @DisplayName("A queue or a channel that breaks ends the connection, and says which function has failed")
  void broken(String function) {
    for (Kind kind : Kind.values()) {
      assertTold(reasons(kind, pair -> {
        fabric.control().fakeFail(function, Errno.ENODEV, 0, FakeFabric.ALWAYS);
        LocalMemory memory = pair.client().memory(64);
        try {
          pair.client().post(owned -> owned.postSend(10, memory, 0, 64));
          pair.server().receive(9, 64);
        } catch (IllegalStateException e) {
          // It has ended already.
        }
      }), function);
    }
  }

  /** Fails if {@code IbverbsConnection.event} lets an event pass that it does not know. */
  @ParameterizedTest
  @ValueSource(ints = {Numbers.DEVICE_REMOVAL, Numbers.CONNECT_ERROR, Numbers.UNREACHABLE, 12, 13, 16, 1000, -7})
  @DisplayName("B-130: an event that means no good ends an open connection, and both ends hear of it")
  void events(int type) {
    for (Kind kind : Kind.values()) {
      for (Role role : List.of(Role.CONNECTS, Role.ACCEPTS)) {
        assertTold(reasons(kind, pair ->
            assertThat(fabric.control().fakeEvent(role.ordinal(), type, 3)).isOne()),
            type == Numbers.DEVICE_REMOVAL ? "The RDMA device was removed" : "Event " + type);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Numbers.ADDR_CHANGE, Numbers.TIMEWAIT_EXIT, Numbers.ESTABLISHED})
  @DisplayName("Events that mean nothing change nothing")
  void harmless(int type) {
    for (Kind kind : Kind.values()) {
      fabric.reset(kind);
      try (VerbsBed bed = fabric.bed()) {
        Peer server = bed.server();
        server.receive(1, 8);
        VerbsBed.Pair pair = bed.connect(bed.client(), server);
        for (Role role : Role.values()) {
          assertThat(fabric.control().fakeEvent(role.ordinal(), type, 0)).isOne();
        }
        pair.client().send(1, new byte[8]);
        assertThat(server.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
      }
    }
  }

  /** Fails if one of the ways to hear of it is left out: connections, and what is posted on them. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-130: a device that is removed takes its connections with it, and can be closed")
  void removal(Kind kind) {
    List<DisconnectReason> reasons = reasons(kind, pair -> {
      fabric.control().fakeStall(1);
      LocalMemory memory = pair.client().memory(1 << 20);
      Exposure exposure = pair.server().expose(pair.server().memory(1 << 20), Access.REMOTE_READ);
      pair.client().post(owned -> owned.postRead(9, memory, 0, 1 << 20, exposure.steeringTag(),
          exposure.remoteOffset()));
      fabric.control().fakeRemoveDevice();
    });
    assertThat(reasons).extracting(DisconnectReason::detail).containsOnly("The RDMA device was removed");
  }

  /** Fails if {@code CmChannel.ready} goes on for ever: the thread of all devices would spin. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A device whose events cannot be read any more is given up, and can be closed")
  void eventsCannotBeRead(Kind kind) {
    fabric.reset(kind);
    try (LoggedMessages logged = new LoggedMessages(CmChannel.class.getName()); VerbsBed bed = fabric.bed()) {
      fabric.control().fakeFail("rdma_get_cm_event", Errno.ENODEV, 0, FakeFabric.ALWAYS);
      assertThat(Waiting.awaitFailure(bed.connect(bed.anyPort(), bed.client(), FakeFabric.SHORT)))
          .isInstanceOf(VerbsException.class).hasMessageContaining("within");
      Waiting.until(() -> logged.all().stream().anyMatch(text -> text.contains("opened anew")));
      long calls = fabric.control().fakeCalls("rdma_get_cm_event");
      assertThat(Waiting.awaitFailure(bed.connect(bed.anyPort(), bed.client(), FakeFabric.SHORT)))
          .hasMessageContaining("within");
      assertThat(fabric.control().fakeCalls("rdma_get_cm_event")).isEqualTo(calls);
    }
  }

  /** Fails if {@code Listener.event} does not hear of the removal. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-130: a listener goes with its device, since the kernel waits for it, and nobody connects")
  void listenerOfRemovedDevice(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsListener listener = bed.listen(request -> { });
      fabric.control().fakeRemoveDevice();
      Waiting.until(() -> fabric.control().fakeAliveOf("connection identifier") == 0);
      fabric.control().fakeFail("rdma_resolve_addr", Errno.ENODEV, 0, FakeFabric.ALWAYS);
      assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(), FakeFabric.SHORT)))
          .isInstanceOf(VerbsException.class).hasMessageContaining("rdma_resolve_addr");
      Waiting.await(listener.close());
    }
  }
}
