// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.mechanism.KerberosServer;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.security.auth.Subject;
import org.apache.kerby.kerberos.kerb.ccache.CredentialCache;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionKey;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that are not good, or not for this server, and clocks that differ: who calls hears which it is. */
@DisplayName("Kerberos, bad tickets")
@Tag("large")
class BadTicketsTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final Duration LONG = Duration.ofHours(2);
  /** Where MIT's errors of RFC 4120 §7.5.9 begin. */
  private static final int TABLE = -1765328384;
  private static final int FAILURE = 13 << 16;
  private static final String KEYTAB = "its keytab has not the key that the ticket is encrypted by";

  @TempDir
  private Path directory;

  private final KerberosRealm realm = new KerberosRealm("alice", SERVICE, "echo/elsewhere");
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
  private KerberosServer contexts;
  private RpcServer server;
  private int port;

  @BeforeEach
  void serve() {
    KerberosOptions kerberos = realm.options(SERVICE);
    contexts = KerberosServer.acquire(vertx, kerberos);
    server = Waiting.await(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setKerberos(kerberos))
        .addServiceInterceptor((call, next) -> {
          served.add(call.user().map(RpcUser::name).orElse("nobody"));
          return next.handle(call);
        }).build().bind(new EchoService()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    port = Waiting.await(server.listenForContexts(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  /** Nothing was executed, and nothing is kept. */
  @AfterEach
  void close() {
    GssServer judge = (GssServer) contexts.authenticator();
    assertThat(judge.contexts()).isZero();
    assertThat(judge.unfinished()).isZero();
    assertThat(served).isEmpty();
    contexts.close();
    Waiting.await(vertx.close());
    realm.close();
  }

  private void assertRefused(KerberosOptions kerberos, String words) {
    RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setKerberos(kerberos));
    RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOfSatisfying(RpcSecurityException.class, e -> assertThat(e.maybeExecuted()).isFalse())
        .hasMessageContaining(words);
    Waiting.await(client.close());
  }

  // Tickets of the center

  /** Fails if {@code Statuses.minor} does not tell one from the other, or {@code GssClient} does not say it. */
  @Test
  @DisplayName("A ticket for a key that the server's keytab has not, of another version or of another principal")
  void keys() throws Exception {
    assertRefused(realm.options("alice").setPeer("echo/elsewhere"), KEYTAB);
    realm.center().getKadmin().changePassword(SERVICE + '@' + KerberosRealm.NAME, "another");
    assertRefused(realm.options("alice").setService("echo"), KEYTAB);
  }

  @Test
  @DisplayName("A service, a client or a realm that the center does not know")
  void unknown() {
    assertRefused(realm.options("alice").setService("nobody"), "not found in Kerberos database");
    assertRefused(realm.options("alice").setPeer("echo/127.0.0.1@ELSEWHERE.LAB"), "ELSEWHERE.LAB");
    assertRefused(realm.options("alice").setPrincipal("alice@ELSEWHERE.LAB").setService("echo"), "ELSEWHERE.LAB");
  }

  /**
   * Whether tickets have expired is seen by the JDK. Fails if {@code KerberosLogin.initiator} does not name the cache to
   * it, or {@code KerberosLogin.login} does not say what it has found.
   */
  @Test
  @DisplayName("A ticket cache whose tickets have expired")
  void expiredCache() throws Exception {
    realm.center().createPrincipal("carol@" + KerberosRealm.NAME, "password");
    KrbClient kinit = realm.center().getKrbClient();
    kinit.getKrbConfig().setString("permitted_enctypes", "aes256-cts-hmac-sha1-96");
    TgtTicket ticket = kinit.requestTgt("carol@" + KerberosRealm.NAME, "password");
    Path file = directory.resolve("cache");
    try (OutputStream out = Files.newOutputStream(file)) {
      new CredentialCache(ticket).store(out);
    }
    assertRefused(new KerberosOptions().setTicketCache(file.toString()).setService("nobody"), "not found in Kerberos");
    ticket.getEncKdcRepPart().setStartTime(new KerberosTime(System.currentTimeMillis() - 7_200_000));
    ticket.getEncKdcRepPart().setEndTime(new KerberosTime(System.currentTimeMillis() - 3_600_000));
    try (OutputStream out = Files.newOutputStream(file)) {
      new CredentialCache(ticket).store(out);
    }
    assertRefused(new KerberosOptions().setTicketCache(file.toString()).setService("echo"), "cannot prove who it is");
    Files.writeString(file, "no cache");
    assertRefused(new KerberosOptions().setTicketCache(file.toString()).setService("echo"), "cannot prove who it is");
  }

  // Tickets that no center gives

  private EncryptionKey key() throws IOException {
    return Keytab.loadKeytab(realm.file(SERVICE)).getKey(new PrincipalName(SERVICE + '@' + KerberosRealm.NAME),
        EncryptionType.AES256_CTS_HMAC_SHA1_96);
  }

  private ForgedTicket ticket() throws IOException {
    return new ForgedTicket(SERVICE, key());
  }

  private static byte[] token(Subject holder) throws Exception {
    return Subject.doAs(holder, (PrivilegedExceptionAction<byte[]>) () -> {
      GSSManager manager = GSSManager.getInstance();
      GSSContext context = manager.createContext(manager.createName("echo@127.0.0.1", GSSName.NT_HOSTBASED_SERVICE),
          new Oid("1.2.840.113554.1.2.2"), null, GSSContext.DEFAULT_LIFETIME);
      context.requestMutualAuth(true);
      return context.initSecContext(new byte[0], 0, 0);
    });
  }

  private GssInitResult exchange(byte[] token) throws IOException {
    try (ContextClient client = new ContextClient(port)) {
      XdrWriter call = new XdrWriter();
      new CallHeader(1, EchoService.PROGRAM, 1, 0, new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0])
          .encode()).encode(call);
      client.send(call.opaque(token).toByteArray());
      XdrReader reader = client.receive();
      assertThat(ReplyHeader.decode(reader)).isInstanceOf(ReplyHeader.Accepted.class);
      return GssInitResult.decode(reader);
    }
  }

  private void assertRefused(byte[] token, int error) throws IOException {
    GssInitResult result = exchange(token);
    assertThat(result.major()).isEqualTo(FAILURE);
    assertThat(result.minor() - TABLE).as("RFC 4120 §7.5.9").isEqualTo(error);
    assertThat(result.handle()).isEmpty();
    assertThat(result.token()).isEmpty();
  }

  /** Fails if {@code Statuses.minor} is the JDK's, which is always the same. */
  @Test
  @DisplayName("A ticket that has expired, is not yet good, or is encrypted by another key of the same version")
  void forged() throws Exception {
    assertRefused(token(ticket().good(LONG.negated(), Duration.ofHours(-1)).holder()), 32);
    assertRefused(token(ticket().good(Duration.ofHours(1), LONG).holder()), 33);
    EncryptionKey other = new EncryptionKey(key().getKeyType(), new byte[32], key().getKvno());
    assertRefused(token(new ForgedTicket(SERVICE, other).holder()), 31);
  }

  @Test
  @DisplayName("A clock that differs by more than is accepted")
  void skew() throws Exception {
    byte[] token = token(ticket().holder());
    long made = System.currentTimeMillis();
    realm.acceptsNoSkew();
    Waiting.until(() -> System.currentTimeMillis() > made + 1);
    assertRefused(token, 37);
  }
}
