// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A key with a certificate signed by itself, made by the JDK's keytool, in the forms of settings. */
public final class TestKeys {

  private static final String PASSWORD = "not a secret";

  private final byte[] store;

  private TestKeys(byte[] store) {
    this.store = store;
  }

  /**
   * Makes a key with a certificate.
   *
   * @param names what follows {@code san=}, such as {@code ip:127.0.0.1}
   * @return a new one
   */
  public static TestKeys forNames(String names) {
    return made("-keyalg", "EC", "-groupname", "secp256r1", "-ext", "san=" + names);
  }

  /**
   * Makes an RSA key with a certificate.
   *
   * @return a new one
   */
  public static TestKeys rsa() {
    return made("-keyalg", "RSA", "-keysize", "2048");
  }

  /**
   * Makes a key that signs by RSASSA-PSS alone, with a certificate.
   *
   * @return a new one
   */
  public static TestKeys pss() {
    return made("-keyalg", "RSASSA-PSS", "-keysize", "2048");
  }

  /**
   * A key of EdDSA.
   *
   * @param curve {@code ed25519} or {@code ed448}
   * @return a new one
   */
  public static TestKeys edwards(String curve) {
    return made("-keyalg", curve);
  }

  private static TestKeys made(String... how) {
    try {
      Path folder = Files.createTempDirectory("test-keys");
      Path file = folder.resolve("store.p12");
      try {
        keytool(Stream.concat(Stream.of("-genkeypair", "-alias", "own", "-dname", "CN=test", "-validity", "2",
            "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD), Arrays.stream(how))
            .toArray(String[]::new));
        return new TestKeys(Files.readAllBytes(file));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void keytool(String... arguments) throws IOException {
    String[] command = new String[arguments.length + 1];
    command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(process.exitValue()).as(output).isZero();
  }

  /**
   * As a key store of one file.
   *
   * @return settings
   */
  public JsonObject pfx() {
    return new JsonObject().put("value", Buffer.buffer(store).getBytes())
        .put("password", PASSWORD);
  }

  /**
   * Key and certificate as text.
   *
   * @return settings
   */
  public JsonObject pem() {
    return new JsonObject()
        .put("certValues", new JsonArray().add(certificate()))
        .put("keyValues", new JsonArray().add(text("PRIVATE KEY", privateKey())));
  }

  /**
   * The certificate alone, for the other side to trust.
   *
   * @return settings
   */
  public JsonObject trust() {
    return new JsonObject().put("certValues", new JsonArray().add(certificate()));
  }

  /**
   * Key and certificate as Vert.x has them.
   *
   * @return options of PEM
   */
  public PemKeyCertOptions keys() {
    return new PemKeyCertOptions(pem());
  }

  /**
   * The certificate alone, for the other side to trust, as Vert.x has it.
   *
   * @return options of PEM
   */
  public PemTrustOptions trusted() {
    return new PemTrustOptions(trust());
  }

  /**
   * A list that revokes the certificate, signed by its own key.
   *
   * @return in PEM
   */
  public Buffer revocation() {
    try {
      Path folder = Files.createTempDirectory("test-keys");
      Path file = Files.write(folder.resolve("store.p12"), store);
      Path list = folder.resolve("revoked.crl");
      try {
        BigInteger serial = ((X509Certificate) open().getCertificate("own")).getSerialNumber();
        keytool("-gencrl", "-rfc", "-alias", "own", "-id", serial.toString(), "-file", list.toString(),
            "-keystore", file.toString(), "-storepass", PASSWORD);
        return Buffer.buffer(Files.readAllBytes(list));
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(list);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] certificate() {
    try {
      return text("CERTIFICATE", open().getCertificate("own").getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] privateKey() {
    try {
      return open().getKey("own", PASSWORD.toCharArray()).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] text(String what, byte[] bytes) {
    return ("-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
        + "\n-----END " + what + "-----\n").getBytes(StandardCharsets.US_ASCII);
  }

  private KeyStore open() {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(new ByteArrayInputStream(store), PASSWORD.toCharArray());
      return keys;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
