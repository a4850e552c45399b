// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.GuestTests;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.WithLab;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The provider and programs of others on Linux's devices, in the lab's machine. */
@WithLab
@DisplayName("Peers of others on Linux's RDMA devices")
final class LinuxPeersTest {

  private static final Duration LIMIT = Duration.ofSeconds(200);

  @Test
  @Timeout(300)
  @DisplayName("ucmatose, rdma_client and rdma_server, in both roles on both devices")
  void peers(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    assertThat(GuestTests.run(vm, LIMIT, List.of(), ForeignPeers.class).tests()).isEqualTo(8);
  }
}
