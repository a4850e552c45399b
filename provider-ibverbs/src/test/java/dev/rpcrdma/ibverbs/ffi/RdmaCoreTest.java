// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.verbs.VerbsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Loading, and errors. */
class RdmaCoreTest {

  @Test
  @DisplayName("A library that is not there is named")
  void missing() {
    assertThatThrownBy(() -> RdmaCore.load("libnosuchverbs.so.1", "librdmacm.so.1"))
        .isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.UNAVAILABLE))
        .hasMessageContaining("libnosuchverbs.so.1 cannot be loaded");
  }

  @Test
  @NeedsRdmaHeaders
  @DisplayName("The distribution's libraries have all functions; without an RDMA device they say why they fail")
  void distribution() {
    RdmaCore core = RdmaCore.load();
    int[] count = {-1};
    long list = core.verbs().ibvGetDeviceList(count);
    assertThat(list == 0 || count[0] >= 0).isTrue();
    if (list != 0) {
      core.verbs().ibvFreeDeviceList(list);
    }
    assertThat(core.cm().rdmaEventStr(Numbers.ESTABLISHED)).isEqualTo("RDMA_CM_EVENT_ESTABLISHED");
    long channel = core.cm().rdmaCreateEventChannel();
    if (channel == 0) {
      assertThatThrownBy(() -> core.made("rdma_create_event_channel", channel)).isInstanceOf(NativeException.class)
          .hasMessageStartingWith("rdma_create_event_channel: no such");
    } else {
      core.cm().rdmaDestroyEventChannel(channel);
    }
  }

  /** libc is there everywhere, and has none of the functions. */
  @Test
  @DisplayName("A library without the functions is refused when it is loaded, not when one is called")
  void otherLibrary() {
    assertThatThrownBy(() -> RdmaCore.load("libc.so.6", "libc.so.6")).isInstanceOf(VerbsException.class)
        .hasMessageContaining("ibv_");
  }

  @Test
  @DisplayName("Names in C")
  void names() {
    assertThat(RdmaCore.inC("rdmaCreateId")).isEqualTo("rdma_create_id");
    assertThat(RdmaCore.inC("ibvIsForkInitialized")).isEqualTo("ibv_is_fork_initialized");
  }

  @Test
  @DisplayName("Errors say which function has failed, and why, whichever sign they have")
  void errors() {
    assertThat(new NativeException("ibv_post_send", -12)).hasMessage(
        "ibv_post_send: no memory, or the limit of locked memory is reached (ENOMEM)");
    assertThat(new NativeException("rdma_connect", 111)).hasMessage("rdma_connect: refused (ECONNREFUSED)");
    assertThat(new NativeException("rdma_connect", 111).errno()).isEqualTo(Errno.ECONNREFUSED);
    assertThat(new NativeException("ibv_alloc_pd", 0)).hasMessage("ibv_alloc_pd: it does not say why");
    assertThat(new NativeException("ibv_alloc_pd", 4095)).hasMessage("ibv_alloc_pd: errno 4095");
  }
}
