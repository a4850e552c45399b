// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.WithLab;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line tells of a connection to the NFS server of a Linux kernel. */
@WithLab
@DisplayName("ping of Linux's NFS server")
final class LinuxPingTest {

  private static final int PORT = 20049;

  @ParameterizedTest(name = "crc={0}, peerToPeer={1}")
  @CsvSource(delimiter = '|', value = {
      "true  | false | on, this side asks and the peer confirms | nothing agreed (client and server)",
      "false | false | off, neither side asks                   | nothing agreed (client and server)",
      "true  | true  | on, this side asks and the peer confirms | as agreed (peer to peer)"})
  @DisplayName("P-005, P-006, P-010, R-041: prints what MPA settled and what its RFC 8797 block says")
  void printsWhatWasAgreed(boolean crc, boolean peerToPeer, String crcs, String first, LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    Commands commands = new Commands();
    int status = commands.run("ping", "127.0.0.1:" + vm.forward(PORT), "--program", "100003",
        "--version", "3", "--count", "2", "--provider", "siw", "--setting", "crc=" + crc,
        "--setting", "peerToPeer=" + peerToPeer);
    assertThat(commands.err()).isEmpty();
    assertThat(status).isZero();
    List<String> lines = commands.out().lines().toList();
    assertThat(lines).contains(
        "MPA                  revision 2, enhanced startup (RFC 6581)",
        "CRC                  " + crcs,
        "markers sent         no, the peer does not ask",
        "markers received     no, this side does not ask",
        "ready to receive     empty RDMA Write, " + first,
        "private data         the peer has sent 8 bytes:",
        "  RFC 8797           version 1, sends 4096 and receives 4096 bytes inline, "
            + "R clear: its memory may not be invalidated",
        "  our own block      none",
        "inline, to it        4096 bytes",
        "inline, from it      4096 bytes",
        "credits granted      64");
    assertThat(lines).filteredOn(line -> line.matches("NULL [12] +[0-9,]+ us")).hasSize(2);
  }
}
