// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The NFS server from the command line. */
@Timeout(60)
class Nfs3CommandTest {

  private final Commands commands = new Commands();

  @TempDir
  private Path folder;

  @Test
  void servesUntilItIsInterruptedAndTellsHowToMount() throws Exception {
    PipedWriter pipe = new PipedWriter();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread server = new Thread(() -> status.complete(commands.run(new PrintWriter(pipe, true),
        "nfs3", "--export", folder.toString(), "--address", "127.0.0.1", "--port", "0",
        "--mount-port", "0")));
    try (BufferedReader output = new BufferedReader(new PipedReader(pipe, 1 << 16))) {
      server.start();
      String serving = output.readLine();
      assertThat(serving).matches("serving " + folder + " on port \\d+, MOUNT on port \\d+");
      String[] words = serving.replace(",", "").split(" ");
      String port = words[4];
      assertThat(output.readLine()).isEqualTo("mount -t nfs -o rdma,vers=3,proto=rdma,port=" + port
          + ",mountport=" + words[8] + ",mountproto=tcp,nolock 127.0.0.1:/ /mnt");
      // RFC 1813 §3: the program and its version.
      assertThat(commands.run("ping", "127.0.0.1:" + port, "--program", "100003", "--version", "3",
          "--count", "1")).isZero();
      assertThat(commands.out()).contains("NULL 1");
      server.interrupt();
      assertThat(status.get(20, TimeUnit.SECONDS)).isZero();
      assertThat(commands.run("ping", "127.0.0.1:" + port, "--program", "100003")).isEqualTo(1);
    }
  }

  /** Fails if {@code Nfs3Command.host} prints an address that {@code HostPort} and mount do not take. */
  @Test
  void addressOfIpv6StandsInBrackets() throws Exception {
    PipedWriter pipe = new PipedWriter();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread server = new Thread(() -> status.complete(commands.run(new PrintWriter(pipe, true), "nfs3", "--export",
        folder.toString(), "--address", "::1", "--port", "0", "--mount-port", "0")));
    try (BufferedReader output = new BufferedReader(new PipedReader(pipe, 1 << 16))) {
      server.start();
      assertThat(output.readLine()).startsWith("serving ");
      assertThat(output.readLine()).matches("mount -t nfs -o rdma,vers=3,proto=rdma6,port=\\d+,mountport=\\d+,"
          + "mountproto=tcp6,nolock \\[::1]:/ /mnt");
      server.interrupt();
      assertThat(status.get(20, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void failuresAreOneLineAndAStatus() throws IOException {
    assertThat(commands.run("nfs3")).isEqualTo(2);
    assertThat(commands.err()).contains("--export");
    assertThat(commands.run("nfs3", "--export", folder.toString(), "--port", "65536"))
        .isEqualTo(2);
    assertThat(commands.err()).contains("'--port': '65536' is not a number from 0 to 65535");
    assertThat(commands.run("nfs3", "--export", folder.toString(), "--sec", "krb6")).isEqualTo(2);
    assertThat(commands.err()).contains("Not one of sys, krb5, krb5i and krb5p: 'krb6'");
    assertThat(commands.run("nfs3", "--export", folder.toString(), "--sec", "krb5p")).isEqualTo(2);
    assertThat(commands.err()).contains("Kerberos needs --principal and --keytab");
    Commands failing = new Commands();
    assertThat(failing.run("nfs3", "--export", folder.resolve("none").toString())).isEqualTo(1);
    assertThat(failing.err()).isEqualTo("rpcrdma: No such file: " + folder.resolve("none") + "\n");
  }
}
