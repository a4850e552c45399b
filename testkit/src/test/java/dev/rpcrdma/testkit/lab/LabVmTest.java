// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The machine itself. */
@WithLab
@DisplayName("The lab's machine")
final class LabVmTest {

  private static final AtomicInteger RUNS = new AtomicInteger();

  @Test
  @DisplayName("tells a command's output and exit status")
  void commands(LabVm vm) {
    LabResult result = vm.exec("echo 'one  \"two\"'; echo error >&2; exit 7");
    assertThat(result).isEqualTo(new LabResult(7, "one  \"two\"\nerror\n"));
    assertThatThrownBy(result::expectSuccess).hasMessageContaining("7")
        .hasMessageContaining("error");
  }

  @Test
  @DisplayName("has the kernel that the run is for")
  void kernel(LabVm vm) {
    assertThat(vm.kernel()).isEqualTo(LabKernel.ofRun().orElse(LabKernel.LINUX_6_1));
    assertThat(release(vm)).startsWith(vm.kernel().series() + ".");
  }

  @Test
  @OnKernel(LabKernel.LINUX_6_1)
  @DisplayName("has the kernel that a test needs: 6.1")
  void olderKernel(LabVm vm) {
    assertThat(release(vm)).startsWith("6.1.");
  }

  @Test
  @OnKernel(LabKernel.LINUX_6_12)
  @DisplayName("has the kernel that a test needs: 6.12")
  void newerKernel(LabVm vm) {
    assertThat(release(vm)).startsWith("6.12.");
  }

  private static String release(LabVm vm) {
    return vm.exec("uname -r").expectSuccess().output();
  }

  @Test
  @DisplayName("ends a command that takes too long, and says so by its status")
  void slowCommand(LabVm vm) {
    assertThat(vm.exec(Duration.ofSeconds(1), "echo before; sleep 100; echo after"))
        .isEqualTo(new LabResult(124, "before\n"));
  }

  @Test
  @DisplayName("runs commands beside each other")
  void together(LabVm vm) {
    LabCommand waiting = vm.start("until [ -e /run/go ]; do sleep 0.05; done; rm /run/go; echo ok");
    vm.exec("touch /run/go").expectSuccess();
    assertThat(waiting.await().expectSuccess().output()).isEqualTo("ok\n");
  }

  @Test
  @DisplayName("is reached by forwarded ports, and reaches the host's loopback")
  void ports(LabVm vm) throws IOException {
    LabCommand listening = vm.start("perl -MIO::Socket::INET -e '"
        + "$l = IO::Socket::INET->new(LocalPort => 4711, Listen => 1); print $l->accept->getline'");
    vm.awaitListener(4711);
    assertThat(vm.forward(4711)).isEqualTo(vm.forward(4711));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), vm.forward(4711))) {
      socket.getOutputStream().write("to the guest\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(listening.await().expectSuccess().output()).isEqualTo("to the guest\n");
    }
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LabCommand sending = vm.start("echo to the host >/dev/tcp/" + LabVm.HOST + "/"
          + server.getLocalPort());
      server.setSoTimeout(20_000);
      try (Socket accepted = server.accept()) {
        assertThat(new String(accepted.getInputStream().readAllBytes(),
            StandardCharsets.US_ASCII)).isEqualTo("to the host\n");
      }
      sending.await().expectSuccess();
    }
  }

  @ParameterizedTest
  @EnumSource(SiwVariant.class)
  @DisplayName("has each siw")
  void variants(SiwVariant variant, LabVm vm) {
    vm.siw(variant);
    assertThat(vm.exec("rdma link show").expectSuccess().output())
        .contains("siw0/1 state ACTIVE", "siw_lo/1 state ACTIVE");
    assertThat(vm.exec("cat /run/siw").output().strip()).isEqualTo(variant.scriptName());
  }

  @Test
  @DisplayName("is booted anew after a crash, and the test is run once more")
  void crash(LabVm vm) {
    if (RUNS.incrementAndGet() == 1) {
      assertThat(vm.exec("echo c >/proc/sysrq-trigger").status()).isEqualTo(LabResult.DIED);
      throw new AssertionError("The first run, which is not counted");
    }
    assertThat(RUNS).hasValue(2);
    vm.exec("true").expectSuccess();
  }
}
