// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.lab.GuestJava;
import dev.rpcrdma.testkit.lab.GuestTests;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabCommand;
import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.cli.RpingOnDevices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command line with {@code ibverbs} on Linux's own devices, in the lab's machine. */
@WithLab
@DisplayName("The command line on Linux's RDMA devices")
final class LinuxDevicesTest {

  private static final Duration LIMIT = Duration.ofSeconds(100);
  private static final int NFSD = 20049;
  private static final int NFS = 20060;
  private static final int MOUNT = 20061;
  private static final int RPING = 7175;

  private static LabCommand start(LabVm vm, KernelDevice device, String... command) {
    device.load(vm);
    return new GuestJava(vm, Commands.MAIN).start(LIMIT, List.of(),
        Stream.concat(Stream.of(command), Stream.of("--provider", "ibverbs", "--setting",
            "device=" + device.deviceName())).toArray(String[]::new));
  }

  private static String run(LabVm vm, KernelDevice device, String... command) {
    return start(vm, device, command).await().expectSuccess().output();
  }

  @Test
  @DisplayName("doctor finds all that is needed, and devices lists what each can do")
  void doctor(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    GuestJava main = new GuestJava(vm, Commands.MAIN);
    assertThat(main.start(LIMIT, List.of(), "doctor").await().expectSuccess().output())
        .contains("ibverbs: can be used", "siw0 (iWARP by software, 1 of 1 port active), at 10.0.2.15",
            "rxe0 (InfiniBand or RoCE, 1 of 1 port active), at 10.9.9.1", "ibverbs is used")
        .doesNotContain("missing:");
    assertThat(main.start(LIMIT, List.of(), "devices").await().expectSuccess().output())
        .contains("ibverbs siw0", "ibverbs rxe0", "siw siw");
  }

  /** Files in both directions, mapped ones too, by Read and Write chunks, and calls of the server's. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("The demo stores files, is called back for each, and reads them back")
  void demo(KernelDevice device, LabVm vm) {
    vm.exec("mkdir -p /tmp/files/sub; for i in $(seq 12); do head -c $((i * i * 1000)) /dev/urandom"
        + " >/tmp/files/sub/$i; done; : >/tmp/files/empty; head -c 3000001 /dev/urandom >/tmp/files/large")
        .expectSuccess();
    assertThat(run(vm, device, "demo", "/tmp/files")).contains("all 14 digests equal")
        .containsPattern("reverse calls +14");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ping calls Linux's NFS server, and says what was agreed")
  void ping(KernelDevice device, LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    vm.nfsServer();
    assertThat(run(vm, device, "ping", device.address() + ":" + NFSD, "--program", "100003", "--version", "3",
        "--count", "3")).containsPattern("credits granted +64\n").contains(device.deviceName(), "NULL 3");
  }

  @Test
  @DisplayName("rping of siw in Java and of ibverbs on Linux's siw ping each other, in both roles")
  void rping(LabVm vm) throws Exception {
    LabCommand server = start(vm, KernelDevice.SIW, "rping", "-s", "-a", LabVm.GUEST, "-p", Integer.toString(RPING),
        "-C", "5", "-S", "60000", "-V", "--timeout", "200");
    vm.exec(Duration.ofSeconds(150), "until ss -Hltn sport = :" + RPING + " | grep -q .; do sleep 0.1; done")
        .expectSuccess();
    Commands commands = new Commands();
    assertThat(commands.run("rping", "-c", "-C", "5", "-S", "60000", "-V", "--provider", "siw",
        "127.0.0.1:" + vm.forward(RPING))).as(commands.err()).isZero();
    assertThat(server.await().expectSuccess().output()).contains("5 pings, 300000 bytes");

    int port = FreePort.find();
    CompletableFuture<Integer> serving = CompletableFuture.supplyAsync(() -> new Commands().run("rping", "-s", "-a",
        "127.0.0.1", "-p", Integer.toString(port), "-C", "5", "-S", "60000", "-V", "--provider", "siw", "--timeout",
        "60"));
    assertThat(run(vm, KernelDevice.SIW, "rping", "-c", "-C", "5", "-S", "60000", "-V", LabVm.HOST + ":" + port))
        .contains("5 pings, 300000 bytes");
    assertThat(serving.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isZero();
  }

  @Test
  @Timeout(300)
  @DisplayName("rping of ibverbs and Debian's ping each other, in both roles on both devices")
  void debianRping(LabVm vm) {
    KernelDevice.SIW.load(vm);
    KernelDevice.RXE.load(vm);
    assertThat(GuestTests.run(vm, LIMIT.multipliedBy(2), List.of(), RpingOnDevices.class).tests()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Linux mounts our NFS server, writes a file and reads it back")
  void mount(KernelDevice device, LabVm vm) {
    String options = "rdma,vers=3,proto=rdma,port=" + NFS + ",mountport=" + MOUNT + ",mountproto=tcp,nolock "
        + device.address() + ":/ /mnt/verbs";
    vm.exec("rm -rf /tmp/exported; mkdir -p /tmp/exported /mnt/verbs; modprobe rpcrdma").expectSuccess();
    LabCommand server = start(vm, device, "nfs3", "--export", "/tmp/exported", "--address", device.address(), "--port",
        Integer.toString(NFS), "--mount-port", Integer.toString(MOUNT));
    try {
      LabResult mounted = vm.exec(LIMIT, "set -eu; until ss -Hltn sport = :" + MOUNT + " | grep -q .; do sleep 0.1;"
          + " done; head -c 5000001 /dev/urandom >/tmp/original; mount -t nfs -o " + options
          + "; cp /tmp/original /mnt/verbs/copy; umount /mnt/verbs; mount -t nfs -o " + options
          + "; cmp /tmp/original /mnt/verbs/copy; cmp /tmp/original /tmp/exported/copy; umount /mnt/verbs; echo equal");
      assertThat(mounted.expectSuccess().output()).endsWith("equal\n");
    } finally {
      vm.exec("umount -f /mnt/verbs 2>/dev/null; pkill -f /tmp/exported || true");
      server.await();
    }
  }
}
