// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcNotRegisteredException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.fixture.Nfs3;
import dev.rpcrdma.api.rpcbind.HostRpcbindTest;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestTests;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.WithLab;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Debian's rpcbind in the lab's machine, with what the kernel's NFS server registers, and Debian's rpcinfo. */
@WithLab
@DisplayName("Debian's rpcbind and rpcinfo")
final class LinuxRpcbindTest {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int TESTS = 4;
  private static final int VERSION = 3;
  private static final Rpcb NFS = new Rpcb(Nfs3.PROGRAM, VERSION, Netid.RDMA, "0.0.0.0.78.81", "me");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static SocketAddress rpcbind(LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    return SocketAddress.inetSocketAddress(vm.forward(RpcbindProgram.PORT), "127.0.0.1");
  }

  /** Fails if {@code RpcbindImpl.locate} takes other netids than those of RDMA, or does not name what there is. */
  @Test
  @DisplayName("R-181: Linux registers NFS for TCP alone, also when it serves RDMA; a channel's failure names that")
  void notForRdma(LabVm vm) {
    SocketAddress rpcbind = rpcbind(vm);
    assertThat(Waiting.await(Rpcbind.of(vertx, rpcbind, RpcbindOptions.DEFAULT).dump()))
        .filteredOn(each -> each.program() == Nfs3.PROGRAM)
        .extracting(each -> each.version() + " " + each.netid() + " " + each.address())
        .containsExactlyInAnyOrder("3 tcp 0.0.0.0.8.1", "4 tcp 0.0.0.0.8.1", "3 tcp6 ::.8.1", "4 tcp6 ::.8.1");
    RpcClient client = RpcClient.create(vertx);
    assertThat(Waiting.awaitFailure(client.channel(new RpcbindAddress(rpcbind, Nfs3.PROGRAM, VERSION)).connect()))
        .isInstanceOf(RpcConnectException.class).cause().isInstanceOf(RpcNotRegisteredException.class)
        .hasMessageEndingWith("it is registered there for tcp, tcp6 only");
    Waiting.await(client.close());
  }

  /** Fails if {@code RpcbindImpl} does not say of a refusal what Debian's rpcbind means by it. */
  @Test
  @DisplayName("R-182: it takes nothing from whoever is not on its host, and takes nothing back")
  void fromElsewhere(LabVm vm) {
    Rpcbind rpcbind = Rpcbind.of(vertx, rpcbind(vm), RpcbindOptions.DEFAULT);
    for (Future<Boolean> change : List.of(rpcbind.register(NFS), rpcbind.unregister(NFS))) {
      assertThat(Waiting.awaitFailure(change)).isInstanceOf(RpcRejectedException.class)
          .hasMessageEndingWith("refuses: TOOWEAK; registrations are taken from the host itself");
    }
  }

  /**
   * Port 111 of the host has to be free: rpcinfo lists by no other. Fails if {@code Rpcb.encode} and {@code Rpcb.decode}
   * have another order of their own.
   */
  @Test
  @DisplayName("R-180, R-181: rpcinfo lists what is registered with ours")
  void rpcinfo(LabVm vm) {
    RpcbindServer server = Waiting.await(RpcbindServer.listen(vertx,
        SocketAddress.inetSocketAddress(RpcbindProgram.PORT, "127.0.0.1")));
    try {
      Rpcbind rpcbind = Rpcbind.of(vertx, "127.0.0.1");
      assertThat(Waiting.await(rpcbind.register(NFS))).isTrue();
      assertThat(Waiting.await(rpcbind.register(new Rpcb(0x20060001, 1, Netid.RDMA6, "::.78.81", "")))).isTrue();
      assertThat(listed(vm, "")).containsExactlyInAnyOrder(
          "100000 4 tcp 127.0.0.1.0.111 portmapper superuser",
          "100000 3 tcp 127.0.0.1.0.111 portmapper superuser",
          "100000 2 tcp 127.0.0.1.0.111 portmapper superuser",
          "100003 3 rdma 0.0.0.0.78.81 nfs me",
          "537264129 1 rdma6 ::.78.81 -");
      assertThat(listed(vm, "-s ")).containsExactlyInAnyOrder("100000 2,3,4 tcp portmapper superuser",
          "100003 3 rdma nfs me", "537264129 1 rdma6 -");
    } finally {
      Waiting.await(server.close());
    }
  }

  /** Without the head of the table. */
  private static List<String> listed(LabVm vm, String option) {
    return vm.exec("rpcinfo " + option + LabVm.HOST).expectSuccess().output().lines().skip(1)
        .map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  /** Fails if one of those tests does, or is skipped. */
  @Test
  @Timeout(360)
  @DisplayName("R-180, R-182: it is registered with, and found by, over TCP and by its socket")
  void inside(LabVm vm) {
    KernelDevice device = KernelDevice.SIW;
    device.load(vm);
    vm.nfsServer();
    List<String> where = List.of("rpcrdma.device=" + device.deviceName(), "rpcrdma.host=" + device.address());
    assertThat(GuestTests.run(vm, LIMIT, where, HostRpcbindTest.class, NfsByRpcbind.class).tests()).isEqualTo(TESTS);
  }
}
