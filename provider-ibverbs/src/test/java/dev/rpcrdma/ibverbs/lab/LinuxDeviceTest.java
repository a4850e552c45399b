// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.testkit.lab.GuestTests;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SmokeOn61;
import dev.rpcrdma.testkit.lab.SmokeOn612;
import dev.rpcrdma.testkit.lab.WithLab;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The provider on software devices of Linux, in the lab's machine. */
@WithLab
@DisplayName("Linux's RDMA devices")
final class LinuxDeviceTest {

  private static final Duration LIMIT = Duration.ofMinutes(20);

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  @SmokeOn61
  @DisplayName("The contract of providers holds on software iWARP")
  void contractOnSiw(LabVm vm) {
    contract(KernelDevice.SIW, vm);
  }

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  @SmokeOn612
  @DisplayName("The contract of providers holds on software RoCE")
  void contractOnRxe(LabVm vm) {
    contract(KernelDevice.RXE, vm);
  }

  /** As many tests as everywhere else, and none that is skipped. */
  private static void contract(KernelDevice device, LabVm vm) {
    device.load(vm);
    assertThat(GuestTests.run(vm, LIMIT, List.of("rpcrdma.device=" + device.deviceName()), DeviceContract.class)
        .tests()).isEqualTo(tests());
  }

  private static int tests() {
    return (int) Arrays.stream(VerbsProviderContract.class.getMethods()).filter(LinuxDeviceTest::isTest).count();
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class);
  }
}
