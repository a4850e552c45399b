// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.GuestTests;
import dev.rpcrdma.testkit.lab.GuestTests.Green;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.WithLab;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thousand connections that come and go on each of Linux's devices, in the lab's machine; or as many as the system
 * property {@code rpcrdma.lab.cycles} says.
 */
@WithLab
@DisplayName("Many connections on Linux's RDMA devices")
final class LinuxManyConnectionsTest {

  private static final Duration LIMIT = Duration.ofMinutes(20);

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  @DisplayName("Connections come, transfer and go, some of them badly: no descriptor, object or memory stays")
  void comeAndGo(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    int cycles = Integer.getInteger(ManyCycles.CYCLES, 1_000);
    Green green = GuestTests.run(vm, LIMIT, List.of(ManyCycles.CYCLES + "=" + cycles), ManyCycles.class)
        .print(ManyCycles.FIGURES);
    assertThat(green.tests()).isEqualTo(2);
  }
}
