// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.kerberos.KerberosRealm;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.cli.PemFiles;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The NFS server with TLS and with Kerberos, and pings of it, both from the command line. */
@Timeout(60)
@Tag("large")
class SecuredNfs3Test {

  private final Commands commands = new Commands();

  @TempDir
  private Path folder;

  /** What is done with a server. */
  private interface Use {
    void with(String port, String toldNext) throws Exception;
  }

  private void serving(Use use, String... security) throws Exception {
    List<String> all = new ArrayList<>(List.of("nfs3", "--export", folder.toString(), "--address", "127.0.0.1",
        "--port", "0", "--mount-port", "0", "--tcp-port", "0"));
    all.addAll(Arrays.asList(security));
    PipedWriter pipe = new PipedWriter();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread server = new Thread(() -> status.complete(
        commands.run(new PrintWriter(pipe, true), all.toArray(new String[0]))));
    try (BufferedReader output = new BufferedReader(new PipedReader(pipe, 1 << 16))) {
      server.start();
      String serving = output.readLine();
      assertThat(serving).as(commands.err()).startsWith("serving " + folder);
      use.with(serving.replace(",", "").split(" ")[4], output.readLine());
      server.interrupt();
      assertThat(status.get(20, TimeUnit.SECONDS)).isZero();
    }
  }

  private int ping(String port, String... security) {
    List<String> all = new ArrayList<>(List.of("ping", "127.0.0.1:" + port, "--program", "100003", "--version", "3",
        "--count", "1"));
    all.addAll(Arrays.asList(security));
    return commands.run(all.toArray(new String[0]));
  }

  /** Fails if {@code ServerTlsOptions.secure} does not ask for a certificate. */
  @Test
  @DisplayName("nfs3 --tls --tls-client-auth serves who has a certificate, and tells how to ping and not to mount")
  void tls() throws Exception {
    PemFiles files = PemFiles.of(TestKeys.forNames("ip:127.0.0.1"), folder);
    serving((port, told) -> {
      assertThat(told).isEqualTo("rpcrdma ping 127.0.0.1:" + port + " --program 100003 --version 3 --tls");
      assertThat(ping(port, "--tls", "--tls-trust", files.certificate(), "--tls-cert", files.certificate(), "--tls-key",
          files.key())).as(commands.err()).isZero();
      assertThat(commands.out()).containsPattern("TLS +the peer is CN=test\n");
      assertThat(ping(port, "--tls", "--tls-trust", files.certificate())).isOne();
      assertThat(ping(port)).isOne();
    }, "--tls", "--tls-cert", files.certificate(), "--tls-key", files.key(), "--tls-trust", files.certificate(),
        "--tls-client-auth");
  }

  @Test
  @DisplayName("nfs3 --sec krb5p is called by ping --sec krb5p")
  void kerberos() throws Exception {
    try (KerberosRealm realm = new KerberosRealm("alice", "nfs/127.0.0.1")) {
      KerberosOptions own = realm.options("nfs/127.0.0.1");
      serving((port, told) -> {
        assertThat(told).startsWith("mount ").contains("sec=krb5p");
        assertThat(ping(port, "--sec", "krb5p", "--service", "nfs", "--principal", "alice", "--keytab",
            realm.options("alice").getKeytab().orElseThrow())).as(commands.err()).isZero();
        assertThat(commands.out()).containsPattern("Kerberos +krb5p, PRIVACY\n");
      }, "--sec", "krb5p", "--principal", own.getPrincipal().orElseThrow(), "--keytab", own.getKeytab().orElseThrow());
    }
  }

  /** Fails if {@code ServerTlsOptions}, {@code TlsOptions} or {@code Nfs3Command} lets one of these through. */
  @ParameterizedTest
  @CsvSource({
      "--tls, --tls needs --tls-cert and --tls-key",
      "--tls --tls-cert a --tls-key b --tls-client-auth, --tls-client-auth needs --tls-trust",
      "--tls-client-auth, --tls-client-auth needs --tls",
      "--tls-cert a --tls-key b, --tls-cert needs --tls",
      "--keytab a, '--principal and --keytab need --sec krb5, krb5i or krb5p'",
      "--principal a, '--principal and --keytab need --sec krb5, krb5i or krb5p'"})
  @DisplayName("What does not go together on the command line is said, with exit status 2")
  void wrong(String options, String message) {
    String line = "nfs3 --export " + folder + " --port 0 --mount-port 0 " + options;
    assertThat(commands.run(line.split(" "))).isEqualTo(2);
    assertThat(commands.err()).startsWith(message + "\n").doesNotContain("\tat ");
  }
}
