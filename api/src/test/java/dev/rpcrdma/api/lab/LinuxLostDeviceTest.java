// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.GuestJava;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.WithLab;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices of Linux that go away while calls are under way over them, in the lab's machine. */
@WithLab
@DisplayName("Linux's RDMA devices that go away")
final class LinuxLostDeviceTest {

  private static final Duration LIMIT = Duration.ofSeconds(150);

  /** Next time all is loaded anew. */
  @AfterEach
  void unload(LabVm vm) {
    vm.exec("rm -f /run/siw; rmmod siw; rmmod rdma_rxe; ip link delete rxe_net; true");
  }

  /** Fails if {@code CompletionChannel.ready} stays for as long as there are events. */
  @Test
  @Timeout(240)
  @DisplayName("A device is removed under load: its module stays while it is used, all calls fail, Java ends by itself")
  void removed(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    LabResult result = new GuestJava(vm, LostDevice.class.getName())
        .start(LIMIT, List.of(), "SIW", "siw", "RXE", "rdma_rxe").await().expectSuccess();
    assertThat(result.output()).endsWith(LostDevice.OVER + "\n");
    result.output().lines().filter(line -> line.contains(" calls answered")).forEach(System.out::println);
    LabResult after = vm.exec(Duration.ofSeconds(20), "set -e; until ! rdma link | grep -E 'link (siw0|rxe0)/'; do"
        + " sleep 0.1; done; rmmod siw; rmmod rdma_rxe; echo unloaded");
    assertThat(after.expectSuccess().output()).endsWith("unloaded\n");
  }
}
