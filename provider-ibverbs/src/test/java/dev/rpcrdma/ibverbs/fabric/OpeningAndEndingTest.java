// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Vertx;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What fails before there is a device, and what cannot be given back. */
@NeedsRdmaHeaders
class OpeningAndEndingTest {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  @ParameterizedTest
  @CsvSource({"rdma_get_devices, 1", "ibv_query_device, 2", "ibv_query_port, 2", "rdma_create_event_channel, 1"})
  @DisplayName("A device that cannot be opened says which function has failed, and leaves nothing")
  void opening(String function, int times) {
    Vertx vertx = Vertx.vertx();
    try {
      for (Kind kind : Kind.values()) {
        fabric.reset(kind);
        fabric.control().fakeFail(function, Errno.ENOMEM, 0, times);
        assertThatThrownBy(() -> fabric.provider().open(vertx, DeviceOptions.DEFAULT))
            .isInstanceOf(VerbsException.class).hasMessageContaining(function);
        fabric.assertNothingLeft();
      }
    } finally {
      Waiting.await(vertx.close());
    }
  }

  /** Fails if {@code PairDomain.deregister} forgets a region that it could not deregister. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A revocation that the kernel refuses ends the connection, and its memory is given back with that")
  void revocation(Kind kind) {
    fabric.reset(kind);
    VerbsBed bed = fabric.bed();
    fabric.control().fakeFail("ibv_dereg_mr", Errno.EBUSY, 0, 1);
    assertThat(Conversation.over(bed).told()).contains("ibv_dereg_mr");
    assertThat(fabric.control().fakeUnfailed("ibv_dereg_mr")).isZero();
  }

  /** Fails if {@code PairDomain.close} ends with the first region that cannot be deregistered. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("Memory that stays registered keeps nothing else but its domain, and nobody waiting")
  void staysRegistered(Kind kind) {
    fabric.reset(kind);
    VerbsBed bed = fabric.bed();
    try (bed) {
      Peer client = bed.client();
      Peer server = bed.server();
      IntStream.range(0, 5).forEach(i -> server.receive(i, 64));
      bed.connect(client, server);
      fabric.control().fakeFail("ibv_dereg_mr", Errno.EBUSY, 1, 1);
    }
    Waiting.until(() -> fabric.control().fakeAlive().lines().count() == 2);
    assertThat(fabric.control().fakeAlive()).isEqualTo("1 protection domain\n1 memory region\n");
    assertThat(fabric.control().fakeViolations()).isEmpty();
    fabric.reset();
  }

  @ParameterizedTest
  @CsvSource({"ibv_dealloc_pd, protection domain", "ibv_destroy_cq, completion queue",
      "rdma_destroy_id, connection identifier"})
  @DisplayName("What rdma-core does not give back is all that is left, and keeps nobody waiting")
  void notGivenBack(String function, String left) {
    for (Kind kind : Kind.values()) {
      fabric.reset(kind);
      VerbsBed bed = fabric.bed();
      fabric.control().fakeFail(function, Errno.EBUSY, 0, 1);
      Conversation talk = Conversation.over(bed);
      assertThat(talk.failures()).isEmpty();
      Waiting.until(() -> fabric.control().fakeAliveOf("queue pair") == 0
          && fabric.control().fakeAliveOf("event channel") == 0);
      assertThat(fabric.control().fakeAliveOf(left)).isOne();
      fabric.reset();
    }
  }
}
