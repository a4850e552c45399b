// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.WithLab;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the command line tells of a host with Debian's rpcbind and the NFS server of a Linux kernel. */
@WithLab
@DisplayName("info of a Linux host")
final class LinuxInfoTest {

  private static final int PORT = 111;

  private static String run(LabVm vm, String... options) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    Commands commands = new Commands();
    int status = commands.run(Stream.concat(Stream.of("info", "127.0.0.1:" + vm.forward(PORT)), Stream.of(options))
        .toArray(String[]::new));
    assertThat(status).as(commands.err()).isZero();
    assertThat(commands.err()).isEmpty();
    return commands.out();
  }

  /** Fails if {@code InfoCommand} says of other netids that they are RDMA's, or {@code ProgramNames} lacks a name. */
  @Test
  @DisplayName("R-181: lists NFS, what mounts it, what locks and rpcbind itself, none of them for RDMA")
  void lists(LabVm vm) {
    assertThat(run(vm).lines().map(line -> line.replaceAll(" +", " ")).toList()).contains(
        "program name version netid address owner",
        "100000 portmapper 2 udp 0.0.0.0.0.111 superuser",
        "100000 portmapper 4 tcp6 ::.0.111 superuser",
        "100000 portmapper 4 local /run/rpcbind.sock superuser",
        "100005 mountd 3 tcp 0.0.0.0.78.80 superuser",
        "100003 nfs 3 tcp 0.0.0.0.8.1 superuser",
        "100003 nfs 4 tcp6 ::.8.1 superuser").last().asString().endsWith(" registrations, 0 of them for RDMA");
  }

  /** Fails if {@code InfoCommand} leaves an entry out, or swaps two fields. */
  @Test
  @DisplayName("R-180: --json has just what Debian's rpcinfo lists")
  void asRpcinfo(LabVm vm) {
    List<String> listed = new JsonArray(run(vm, "--json")).stream().map(JsonObject.class::cast)
        .map(each -> each.getInteger("program") + " " + each.getInteger("version") + " " + each.getString("netid") + " "
            + each.getString("address") + " " + each.getString("name", "-") + " " + each.getString("owner")).toList();
    assertThat(listed).hasSizeGreaterThan(20).isEqualTo(vm.exec("rpcinfo").expectSuccess().output().lines().skip(1)
        .map(line -> line.strip().replaceAll(" +", " ")).toList());
  }
}
