// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.testkit.EverythingLogged;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keys and tickets could get into by mistake. */
@DisplayName("Kerberos, its secrets")
class KerberosSecretsTest {

  private static final String SERVICE = "echo/127.0.0.1";
  /** How a token begins that asks for a context (RFC 4121 §4.1): the mechanism, and its kind. */
  private static final byte[] REQUEST = HexFormat.of().parseHex("06092a864886f71201020201 00".replace(" ", ""));
  /** So many bytes of a secret show that it is there. */
  private static final int PIECE = 12;

  @TempDir
  private Path directory;

  private final List<String> said = new ArrayList<>();
  private int captures;

  /** A file for each client. */
  private String capture() {
    return directory.resolve(captures++ + ".pcapng").toString();
  }

  private void say(Object what) {
    said.add(String.valueOf(what));
  }

  private void say(Throwable failure) {
    StringWriter all = new StringWriter();
    failure.printStackTrace(new PrintWriter(all));
    said.add(all.toString());
  }

  private static void keys(KerberosOptions options, List<byte[]> secrets) throws IOException {
    Keytab keytab = Keytab.loadKeytab(Path.of(options.getKeytab().orElseThrow()).toFile());
    for (PrincipalName principal : keytab.getPrincipals()) {
      for (KeytabEntry entry : keytab.getKeytabEntries(principal)) {
        secrets.add(entry.getKey().getKeyData());
      }
    }
  }

  /** What is encrypted in each token that was captured, as it is behind its head. */
  private void tokens(byte[] capture, List<byte[]> secrets) {
    for (int at = 0; at < capture.length - 512; at++) {
      if (Arrays.equals(capture, at, at + REQUEST.length, REQUEST, 0, REQUEST.length)) {
        secrets.add(Arrays.copyOfRange(capture, at + 300, at + 500));
      }
    }
  }

  private static void assertNowhere(byte[] secret, List<String> texts, boolean raw) {
    for (int from = 0; from + PIECE <= secret.length; from += PIECE) {
      byte[] piece = Arrays.copyOfRange(secret, from, from + PIECE);
      String hex = HexFormat.of().formatHex(piece);
      List<String> forms = new ArrayList<>(List.of(hex, HexFormat.ofDelimiter(" ").formatHex(piece),
          HexFormat.ofDelimiter(":").formatHex(piece), Arrays.toString(piece).replaceAll("[\\[\\]]", "")));
      if (raw) {
        forms.add(new String(piece, StandardCharsets.ISO_8859_1));
      }
      for (String text : texts) {
        String small = text.toLowerCase(Locale.ROOT);
        assertThat(forms).noneMatch(form -> text.contains(form) || small.contains(form));
      }
    }
    // Of each alignment, without the characters that have bits of what is beside it.
    for (int shift = 0; shift < 3; shift++) {
      byte[] whole = Arrays.copyOfRange(secret, shift, shift + PIECE);
      String base64 = Base64.getEncoder().encodeToString(whole);
      String forUrls = base64.replace('+', '-').replace('/', '_');
      assertThat(texts).noneMatch(text -> text.contains(base64) || text.contains(forUrls));
    }
  }

  /** Fails if {@code AcceptorHandshake.next} logs its token. */
  @Test
  @DisplayName("Keys and tokens are in no log, snapshot, option, exception or comment of a capture")
  void nowhere() throws IOException {
    List<byte[]> secrets = new ArrayList<>();
    try (EverythingLogged log = new EverythingLogged();
        KerberosRealm realm = new KerberosRealm("alice", SERVICE, "echo/elsewhere")) {
      Vertx vertx = Vertx.vertx();
      keys(realm.options("alice"), secrets);
      keys(realm.options(SERVICE), secrets);
      RpcServerOptions serverOptions = new RpcServerOptions().setProvider("siw").setKerberos(realm.options(SERVICE));
      RpcServer server = Waiting.await(RpcServer.create(vertx, serverOptions).bind(new EchoService())
          .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      SocketAddress address = SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1");
      for (RpcProtection protection : EnumSet.complementOf(EnumSet.of(RpcProtection.CHANNEL))) {
        RpcClientOptions options = new RpcClientOptions().setProvider("siw").setCapture(capture())
            .setKerberos(realm.options("alice").setService("echo").setProtection(protection));
        RpcClient client = RpcClient.create(vertx, options);
        RpcChannel channel = client.channel(address);
        Waiting.await(channel.call(EchoService.echo(new byte[100])));
        say(Waiting.await(channel.snapshot()));
        say(Waiting.await(channel.connect().compose(RpcConnection::snapshot)));
        say(Waiting.await(server.snapshot()));
        say(Waiting.awaitFailure(channel.call(EchoService.call(EchoService.THROW))));
        say(options);
        say(options.toJson().encode());
        Waiting.await(client.close());
      }
      for (KerberosOptions wrong : List.of(realm.options("alice").setPeer("echo/elsewhere"),
          realm.options("alice").setService("nobody"), realm.options("alice").setKeytab("/nowhere").setService("echo"),
          realm.options(SERVICE).setPrincipal("alice@" + KerberosRealm.NAME).setService("echo"))) {
        RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw")
            .setCapture(capture()).setKerberos(wrong));
        say(Waiting.awaitFailure(client.channel(address).call(EchoService.echo(new byte[1]))));
        Waiting.await(client.close());
      }
      say(serverOptions);
      say(serverOptions.toJson().encode());
      Waiting.await(vertx.close());
      said.addAll(log.all());
    }
    assertThat(said).as("the log is looked at").anyMatch(text -> text.contains("A context of Kerberos is refused"));
    assertThat(secrets).as("keys are looked for").hasSize(2);
    List<String> captured = new ArrayList<>();
    for (int i = 0; i < captures; i++) {
      byte[] bytes = Files.readAllBytes(directory.resolve(i + ".pcapng"));
      captured.add(new String(bytes, StandardCharsets.ISO_8859_1));
      tokens(bytes, secrets);
    }
    assertThat(secrets).as("so are tokens, of those that were taken and of the one that was refused").hasSize(2 + 4);
    secrets.forEach(secret -> assertNowhere(secret, said, true));
    // Tokens cross, and so do stand in what was captured, but not in what is said of it.
    secrets.subList(0, 2).forEach(secret -> assertNowhere(secret, captured, true));
    secrets.forEach(secret -> assertNowhere(secret, captured, false));
  }
}
