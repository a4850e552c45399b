// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

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

/**
 * Calls in both directions, large replies, lost connections, and calls to Linux's NFS server, over Linux's RDMA
 * devices in the lab's machine.
 */
@WithLab
@DisplayName("Calls over Linux's RDMA devices")
final class LinuxCallsOnDevicesTest {

  private static final Duration LIMIT = Duration.ofMinutes(6);
  private static final int AT_LEAST = 30;

  @Test
  @Timeout(420)
  @DisplayName("What holds over any provider holds over software iWARP")
  void callsOnSiw(LabVm vm) {
    calls(KernelDevice.SIW, vm);
  }

  @Test
  @Timeout(420)
  @DisplayName("What holds over any provider holds over software RoCE")
  void callsOnRxe(LabVm vm) {
    calls(KernelDevice.RXE, vm);
  }

  private static void calls(KernelDevice device, LabVm vm) {
    device.load(vm);
    vm.nfsServer();
    List<String> where = List.of("rpcrdma.device=" + device.deviceName(), "rpcrdma.host=" + device.address());
    assertThat(GuestTests.run(vm, LIMIT, where, OnDevice.Calls.class, OnDevice.ReverseCalls.class,
        OnDevice.LargeReplies.class, OnDevice.Recovery.class, NfsOnDevice.class).tests()).isGreaterThan(AT_LEAST);
  }
}
