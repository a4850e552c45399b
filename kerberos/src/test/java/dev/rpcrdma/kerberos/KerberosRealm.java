// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.lab.Krb5Conf;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A realm of this process, on loopback; its {@code krb5.conf} is that of the JVM until it is closed. */
public final class KerberosRealm implements AutoCloseable {

  public static final String NAME = "TEST.LAB";

  private static final String TYPES = "aes256-cts-hmac-sha1-96";
  private static final int TIMEOUT_MILLIS = 2000;

  private final Path folder;
  private final SimpleKdcServer center;
  private final Krb5Conf configuration;

  public KerberosRealm(String... principals) {
    try {
      folder = Files.createTempDirectory("kerberos-realm");
      center = new SimpleKdcServer();
      center.setKdcRealm(NAME);
      center.setKdcHost("127.0.0.1");
      center.setAllowUdp(false);
      center.setWorkDir(folder.toFile());
      // Kerby makes the key of the constant's name by the locale: its own spelling is the only right one.
      center.getKdcConfig().setString(KdcConfigKey.ENCRYPTION_TYPES.getPropertyKey(), TYPES);
      center.setKdcTcpPort(FreePort.find());
      center.init();
      center.start();
      for (String principal : principals) {
        center.createPrincipal(principal + '@' + NAME);
        center.exportPrincipal(principal + '@' + NAME, file(principal));
      }
      configuration = new Krb5Conf(folder.resolve("jvm.conf"), NAME, TYPES);
      configure(port(), TIMEOUT_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (KrbException e) {
      throw new IllegalStateException(e);
    }
  }

  private int port() {
    return center.getKdcSetting().getKdcTcpPort();
  }

  private void configure(int port, int timeoutMillis, String... settings) {
    configuration.write(port, Stream.concat(
        Stream.of("kdc_timeout = " + timeoutMillis, "max_retries = 1"), Stream.of(settings)).toArray(String[]::new));
  }

  /** Whoever proves who he is from now on asks at another port, for so long. */
  void movesTo(int port, int timeoutMillis) {
    configure(port, timeoutMillis);
  }

  /** The center is where it was before. */
  void movesBack() {
    configure(port(), TIMEOUT_MILLIS);
  }

  /** All clocks have to be the same from now on, for who proves who he is. */
  void acceptsNoSkew() {
    configure(port(), TIMEOUT_MILLIS, "clockskew = 0");
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
    configuration.close();
    stop();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      // A temporary folder.
    }
  }
}
