// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fabric itself: what it counts, and that it finds out what must not be done. */
@NeedsRdmaHeaders
class FakeFabricTest {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private final RdmaCore core = FakeFabric.core();
  private final ByteBuffer memory = ByteBuffer.allocateDirect(4096);

  private long context() {
    int[] count = {0};
    long list = core.cm().rdmaGetDevices(count);
    long context = NativeMemory.view(list, Long.BYTES).getLong(0);
    core.cm().rdmaFreeDevices(list);
    return context;
  }

  private void assertViolations(String... expected) {
    assertThat(fabric.control().fakeViolations().lines()).containsExactly(expected);
    fabric.reset();
  }

  @Test
  @DisplayName("A domain with memory stays, and what is destroyed is not to be used")
  void domains() {
    long domain = core.verbs().ibvAllocPd(context());
    long region = core.verbs().ibvRegMr(domain, NativeMemory.addressOf(memory), 4096, 0);
    assertThat(fabric.control().fakeAlive()).isEqualTo("1 protection domain\n1 memory region\n");
    assertThat(core.verbs().ibvDeallocPd(domain)).isPositive();
    assertThat(core.verbs().ibvDeregMr(region)).isZero();
    assertThat(core.verbs().ibvDeregMr(region)).isPositive();
    assertThat(core.verbs().ibvDeallocPd(domain)).isZero();
    assertThat(core.verbs().ibvDeallocPd(domain)).isPositive();
    assertThat(core.verbs().ibvRegMr(domain, NativeMemory.addressOf(memory), 4096, 0)).isZero();
    assertThat(core.verbs().ibvDeregMr(0)).isPositive();
    assertThat(fabric.control().fakeAlive()).isEmpty();
    assertThat(fabric.control().fakeCalls("ibv_dereg_mr")).isEqualTo(3);
    assertThat(fabric.control().fakeMadeOf("memory region")).isOne();
    assertViolations("ibv_dealloc_pd with 1 users", "ibv_dereg_mr with a memory region that is destroyed",
        "ibv_dealloc_pd with a protection domain that is destroyed",
        "ibv_reg_mr with a protection domain that is destroyed", "ibv_dereg_mr without a memory region");
  }

  @Test
  @DisplayName("Channels are destroyed behind their users")
  void channels() {
    long events = core.cm().rdmaCreateEventChannel();
    long[] id = {0};
    assertThat(core.cm().rdmaCreateId(events, id, 0, 0x106)).isZero();
    core.cm().rdmaDestroyEventChannel(events);
    long completions = core.verbs().ibvCreateCompChannel(context());
    long queue = core.verbs().ibvCreateCq(context(), 1, 7, completions, 0);
    assertThat(core.verbs().ibvDestroyCompChannel(completions)).isPositive();
    assertThat(core.verbs().ibvDestroyCq(queue)).isZero();
    assertThat(core.verbs().ibvDestroyCompChannel(completions)).isZero();
    assertViolations("rdma_destroy_event_channel with 1 connection identifiers",
        "ibv_destroy_comp_channel with 1 completion queues");
  }

  @Test
  @DisplayName("An identifier whose event is not acknowledged is not to be destroyed by who has the event")
  void unacknowledged() {
    long events = core.cm().rdmaCreateEventChannel();
    long[] id = {0};
    long[] event = {0};
    core.cm().rdmaCreateId(events, id, 0, 0x106);
    byte[] address = {2, 0, 0, 1, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(core.cm().rdmaResolveAddr(id[0], null, address, 100)).isZero();
    assertThat(core.cm().rdmaGetCmEvent(events, event)).isZero();
    assertThat(core.cm().rdmaDestroyId(id[0])).isZero();
    assertThat(core.cm().rdmaAckCmEvent(event[0])).isZero();
    core.cm().rdmaDestroyEventChannel(events);
    assertThat(fabric.control().fakeAlive()).isEmpty();
    assertViolations("rdma_destroy_id with 1 events that are not acknowledged");
  }

  @Test
  @DisplayName("A function fails when and as often as it is to")
  void faults() {
    long context = context();
    fabric.control().fakeFail("ibv_alloc_pd", 28, 1, 2);
    long first = core.verbs().ibvAllocPd(context);
    assertThat(core.verbs().ibvAllocPd(context)).isZero();
    assertThat(core.errno()).isEqualTo(28);
    assertThat(core.verbs().ibvAllocPd(context)).isZero();
    long last = core.verbs().ibvAllocPd(context);
    assertThat(first).isNotZero().isNotEqualTo(last);
    core.verbs().ibvDeallocPd(first);
    core.verbs().ibvDeallocPd(last);
  }
}
