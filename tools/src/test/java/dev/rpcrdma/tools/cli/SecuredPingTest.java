// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.kerberos.KerberosRealm;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pings with TLS, and with tickets of a real key distribution center. */
@Timeout(60)
@Tag("large")
class SecuredPingTest {

  private static final String SERVICE = "blobs/127.0.0.1";

  private static KerberosRealm realm;
  private static TestKeys keys;
  @TempDir
  private static Path folder;
  private static PemFiles files;

  private final Commands commands = new Commands();
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Optional<RpcUser>> users = new LinkedBlockingQueue<>();
  private RpcServer server;

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", SERVICE);
    keys = TestKeys.forNames("ip:127.0.0.1");
    files = PemFiles.of(keys, folder);
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void serve(RpcServerOptions options) {
    server = RpcServer.create(vertx, options).bind(new Pinged(users));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  private int ping(String... security) {
    return ping(commands, security);
  }

  private int ping(Commands by, String... security) {
    List<String> all = new ArrayList<>(List.of("ping", "127.0.0.1:" + server.actualPort(), "--program",
        Integer.toString(Pinged.PROGRAM), "--count", "1", "--timeout", "20"));
    all.addAll(Arrays.asList(security));
    return by.run(all.toArray(new String[0]));
  }

  private int pingAs(String flavor, String service) {
    KerberosOptions alice = realm.options("alice");
    return ping("--sec", flavor, "--service", service, "--principal", alice.getPrincipal().orElseThrow(), "--keytab",
        alice.getKeytab().orElseThrow());
  }

  /** Fails if {@code SecurityOptions.secure} leaves the protection, the principal or the keytab out. */
  @ParameterizedTest
  @CsvSource({"krb5, AUTHENTICATION", "krb5i, INTEGRITY", "krb5p, PRIVACY"})
  @DisplayName("ping --sec calls by Kerberos, with the protection that mount's sec= has by that name")
  void kerberos(String flavor, String protection) {
    serve(new RpcServerOptions().setKerberos(realm.options(SERVICE)));
    assertThat(pingAs(flavor, "blobs")).as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("Kerberos +" + flavor + ", " + protection + "\n");
    assertThat(Waiting.next(users)).hasValueSatisfying(user -> {
      assertThat(user.name()).isEqualTo("alice@" + KerberosRealm.NAME);
      assertThat(user.protection().map(Enum::name)).contains(protection);
    });
  }

  @Test
  @DisplayName("A service that the realm does not know, and a keytab that is not there, are one line each")
  void noTicket() {
    serve(new RpcServerOptions().setKerberos(realm.options(SERVICE)));
    assertThat(pingAs("krb5", "elsewhere")).isOne();
    assertThat(commands.err()).startsWith("rpcrdma: ").hasLineCount(1);
    Commands other = new Commands();
    assertThat(ping(other, "--sec", "krb5", "--service", "blobs", "--principal", "bob", "--keytab",
        folder.resolve("none").toString())).isOne();
    assertThat(other.err()).startsWith("rpcrdma: ").contains("bob").hasLineCount(1);
    assertThat(users).isEmpty();
  }

  /** Fails if {@code TlsOptions.with} leaves the certificate or the trust out. */
  @Test
  @DisplayName("ping --tls believes and shows certificates; without it, or without its own, it is refused in one line")
  void tls() {
    serve(new RpcServerOptions().setTls(new ServerSSLOptions().setKeyCertOptions(keys.keys())
        .setTrustOptions(keys.trusted()).setClientAuth(ClientAuth.REQUIRED)));
    assertThat(ping("--tls", "--tls-trust", files.certificate(), "--tls-cert", files.certificate(), "--tls-key",
        files.key())).as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("TLS +the peer is CN=test\n");
    assertThat(Waiting.next(users)).map(RpcUser::name).contains("CN=test");
    for (String[] less : new String[][] {{}, {"--tls"}, {"--tls", "--tls-trust", files.certificate()},
        {"--tls", "--tls-trust", folder.resolve("none").toString()}}) {
      Commands refused = new Commands();
      assertThat(ping(refused, less)).as(String.join(" ", less)).isOne();
      assertThat(refused.err()).as(String.join(" ", less)).startsWith("rpcrdma: ").hasLineCount(1);
    }
    assertThat(users).isEmpty();
  }

  /** Fails if {@code SecurityOptions.protection} passes over {@code --bind-tls}. */
  @Test
  @DisplayName("R-329: ping --bind-tls binds Kerberos to TLS")
  void bound() {
    serve(new RpcServerOptions().setKerberos(realm.options(SERVICE)).setTls(new ServerSSLOptions()
        .setKeyCertOptions(keys.keys())));
    assertThat(ping("--tls", "--tls-trust", files.certificate(), "--sec", "krb5", "--bind-tls", "--service",
        "blobs@127.0.0.1", "--principal", "alice", "--keytab", realm.options("alice").getKeytab().orElseThrow()))
        .as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("Kerberos +krb5, CHANNEL\n");
    assertThat(Waiting.next(users)).hasValueSatisfying(user ->
        assertThat(user.protection().map(Enum::name)).contains("CHANNEL"));
  }

  @Test
  @DisplayName("TLS and Kerberos go together")
  void both() {
    serve(new RpcServerOptions().setKerberos(realm.options(SERVICE)).setTls(new ServerSSLOptions()
        .setKeyCertOptions(keys.keys())));
    KerberosOptions alice = realm.options("alice");
    assertThat(ping("--tls", "--tls-trust", files.certificate(), "--sec", "krb5i", "--service", "blobs@127.0.0.1",
        "--principal", "alice", "--keytab", alice.getKeytab().orElseThrow())).as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("TLS +the peer is").containsPattern("Kerberos +krb5i");
    assertThat(Waiting.next(users)).map(RpcUser::name).contains("alice@" + KerberosRealm.NAME);
  }

  /** Fails if {@code SecurityOptions} or {@code TlsOptions} lets one of these through. */
  @ParameterizedTest
  @CsvSource({
      "--tls-trust a, --tls-trust needs --tls",
      "--tls --tls-cert a, --tls-cert and --tls-key go together",
      "--tls --tls-key a, --tls-cert and --tls-key go together",
      "--tls-cert a --tls-key b, --tls-cert needs --tls",
      "--sec krb5, '--sec krb5 needs --service, the name of the service that is called'",
      "--sec krb5 --service nfs --keytab a, --keytab needs --principal",
      "--service nfs, '--service needs --sec krb5, krb5i or krb5p'",
      "--principal a, '--principal needs --sec krb5, krb5i or krb5p'",
      "--keytab a, '--keytab needs --sec krb5, krb5i or krb5p'",
      "--bind-tls, --bind-tls needs --sec krb5",
      "--sec krb5i --service nfs --tls --bind-tls, --bind-tls needs --sec krb5",
      "--sec krb5 --service nfs --bind-tls, --bind-tls needs --tls",
      "--sec krb6, 'Not one of sys, krb5, krb5i and krb5p: ''krb6'''",
      "--sec sys:krb5, 'Calls are made by one flavor of --sec, not by sys:krb5'"})
  @DisplayName("What does not go together on the command line is said, with exit status 2")
  void wrong(String options, String message) {
    assertThat(commands.run(("ping 127.0.0.1:1 --program 1 " + options).split(" "))).isEqualTo(2);
    assertThat(commands.err()).startsWith(message + "\n").doesNotContain("\tat ");
  }
}
