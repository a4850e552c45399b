// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.ConnectionOptions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each function of rdma-core fails at each of its first calls of a conversation: once, and from then on. Every future
 * completes, a failure is typed and names the function, nothing is left, and nothing is done that must not be.
 */
@NeedsRdmaHeaders
@Tag("slow")
class FaultInjectionTest {

  /** Of each function. */
  private static final int CALLS = 5;

  /** What fails without anybody being told by name: a deadline passes, or the connection has ended already. */
  private static final Set<String> UNNAMED = Set.of("rdma_get_cm_event", "rdma_disconnect");

  /** What can fail, and is called between the opening of a device and its end. */
  private static final List<String> FUNCTIONS = List.of("ibv_alloc_pd", "ibv_reg_mr", "ibv_create_comp_channel",
      "ibv_create_cq", "ibv_get_cq_event", "ibv_poll_cq", "ibv_req_notify_cq", "ibv_post_send", "ibv_post_recv",
      "rdma_create_id", "rdma_bind_addr", "rdma_resolve_addr", "rdma_resolve_route", "rdma_listen", "rdma_connect",
      "rdma_accept", "rdma_disconnect", "rdma_create_qp", "rdma_get_cm_event");

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  static Stream<Arguments> functions() {
    return Stream.of(Kind.values()).flatMap(kind -> FUNCTIONS.stream().map(name -> Arguments.of(kind, name)));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Without a fault nothing fails")
  void undisturbed(Kind kind) {
    fabric.reset(kind);
    assertThat(Conversation.over(fabric.bed()).failures()).isEmpty();
    FUNCTIONS.forEach(name -> assertThat(fabric.control().fakeCalls(name)).as(name).isPositive());
  }

  @ParameterizedTest
  @MethodSource("functions")
  @DisplayName("B-007, B-045: a function fails at one of its calls, or from there on")
  void fails(Kind kind, String function) {
    for (long times : List.of(1L, FakeFabric.ALWAYS)) {
      boolean reached = true;
      for (int skip = 0; reached && skip < CALLS; skip++) {
        fabric.reset(kind);
        VerbsBed bed = fabric.bed();
        fabric.control().fakeFail(function, Errno.ENOMEM, skip, times);
        Conversation talk = Conversation.over(bed,
            UNNAMED.contains(function) ? FakeFabric.BRIEF : ConnectionOptions.DEFAULT);
        reached = fabric.control().fakeUnfailed(function) < times;
        if (!talk.failures().isEmpty() && !UNNAMED.contains(function)) {
          assertThat(talk.told()).as("call %d", skip).contains(function);
        }
        fabric.assertNothingLeft();
      }
    }
  }
}
