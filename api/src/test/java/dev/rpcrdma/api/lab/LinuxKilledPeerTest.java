// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestJava;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.WithLab;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that are killed while calls are under way over Linux's devices, in the lab's machine. */
@WithLab
@DisplayName("Peers on Linux's RDMA devices that are killed")
final class LinuxKilledPeerTest {

  /** It takes about one minute where the machine is emulated, and has taken nearly three beside other work. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static String resources(LabVm vm) {
    return vm.exec("rdma resource show").expectSuccess().output();
  }

  @Test
  @Timeout(400)
  @DisplayName("A process is killed that serves and calls: its client fails, its server serves others, nothing stays")
  void killed(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    String before = resources(vm);
    LabResult result = new GuestJava(vm, KilledPeer.class.getName()).start(LIMIT, List.of()).await().expectSuccess();
    assertThat(result.output()).endsWith(KilledPeer.OVER + "\n");
    result.output().lines().filter(line -> line.contains(" the kill")).forEach(System.out::println);
    // The kernel takes back the last of them behind the process.
    Waiting.until(() -> resources(vm).equals(before));
  }
}
