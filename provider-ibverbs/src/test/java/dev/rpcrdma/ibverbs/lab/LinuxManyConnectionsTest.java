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
 * Connections that come and go on Linux's devices, in the lab's machine. More of them by the system property {@code
 * rpcrdma.lab.cycles}.
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
    Green green = GuestTests.run(vm, LIMIT, List.of(ManyCycles.CYCLES + "=" + Integer.getInteger(ManyCycles.CYCLES,
        200)), ManyCycles.class).print(ManyCycles.FIGURES);
    assertThat(green.tests()).isEqualTo(2);
  }
}
