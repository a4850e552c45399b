package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A realm of this process, on loopback; its {@code krb5.conf} is that of the JVM until it is closed. */
public final class KerberosRealm implements AutoCloseable {

  public static final String NAME = "TEST.LAB";

  private static final String CONFIGURATION = "java.security.krb5.conf";
  private static final String TYPES = "aes256-cts-hmac-sha1-96";

  private final Path folder;
  private final SimpleKdcServer center;

  public KerberosRealm(String... principals) {
    try {
      folder = Files.createTempDirectory("kerberos-realm");
      center = new SimpleKdcServer();
      center.setKdcRealm(NAME);
      center.setKdcHost("127.0.0.1");
      center.setAllowUdp(false);
      center.setWorkDir(folder.toFile());
      center.getKdcConfig().setString("encryption_types", TYPES);
      try (ServerSocket free = new ServerSocket(0)) {
        center.setKdcTcpPort(free.getLocalPort());
      }
      center.init();
      center.start();
      for (String principal : principals) {
        center.createPrincipal(principal + '@' + NAME);
        center.exportPrincipal(principal + '@' + NAME, file(principal));
      }
      configure(port(), 2000);
      System.setProperty(CONFIGURATION, configuration().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (KrbException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path configuration() {
    return folder.resolve("jvm.conf");
  }

  private int port() {
    return center.getKdcSetting().getKdcTcpPort();
  }

  private void configure(int port, int timeoutMillis) throws IOException {
    Files.writeString(configuration(), """
        [libdefaults]
          default_realm = %1$s
          udp_preference_limit = 1
          dns_canonicalize_hostname = false
          kdc_timeout = %4$d
          max_retries = 1
          default_tkt_enctypes = %2$s
          default_tgs_enctypes = %2$s
          permitted_enctypes = %2$s
        [realms]
          %1$s = {
            kdc = 127.0.0.1:%3$d
          }
        """.formatted(NAME, TYPES, port, timeoutMillis));
  }

  /** Whoever proves who he is from now on asks at another port, for so long. */
  void movesTo(int port, int timeoutMillis) throws IOException {
    configure(port, timeoutMillis);
  }

  /** The center is where it was before. */
  void movesBack() throws IOException {
    configure(port(), 2000);
  }

  /** All clocks have to be the same from now on, for who proves who he is. */
  void acceptsNoSkew() throws IOException {
    String text = Files.readString(configuration());
    Files.writeString(configuration(), text.replace("max_retries", "clockskew = 0\n  max_retries"));
  }

  /** The center, for what only it can do. */
  SimpleKdcServer center() {
    return center;
  }

  File file(String principal) {
    return folder.resolve(principal.replace('/', '_') + ".keytab").toFile();
  }

  /** Whose keys are in a file of its own. */
  public KerberosOptions options(String principal) {
    return new KerberosOptions(new JsonObject().put("principal", principal + '@' + NAME)
        .put("keytab", file(principal).toString()));
  }

  /** The center gives no tickets any more. */
  public void stop() {
    try {
      center.stop();
    } catch (KrbException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It does again. */
  void starts() {
    try {
      center.start();
    } catch (KrbException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    System.clearProperty(CONFIGURATION);
    stop();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      // A temporary folder.
    }
  }
}
