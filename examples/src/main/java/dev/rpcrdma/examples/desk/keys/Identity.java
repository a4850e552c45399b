// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.keys;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A key and its certificate, which is signed by itself, made by the JDK's keytool.
 *
 * @param store a PKCS #12 file with both
 * @param certificate a PEM file with the certificate alone, for others to trust
 */
public record Identity(Path store, Path certificate) {

  private static final String PASSWORD = "changeit";

  /**
   * Makes one. Blocks.
   *
   * @param folder where its files go
   * @param name the certificate's common name
   * @return the new identity, of address 127.0.0.1, good for a day
   * @throws IOException if keytool cannot make it
   */
  public static Identity create(Path folder, String name) throws IOException {
    Identity made = new Identity(folder.resolve(name + ".p12"), folder.resolve(name + ".pem"));
    made.keytool("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name,
        "-ext", "san=ip:127.0.0.1", "-validity", "1", "-storetype", "PKCS12");
    made.keytool("-exportcert", "-rfc", "-file", made.certificate.toString());
    return made;
  }

  private void keytool(String what, String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), what, "-alias", "own",
        "-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      // What it says fits in the pipe.
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        throw new IOException("keytool " + what + " has not ended within a minute");
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException("keytool " + what + " has failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while keytool ran", e);
    } finally {
      process.destroy();
    }
  }

  /**
   * TLS of a server that knows its clients by their certificates, as the option {@code tls}.
   *
   * @param clientAuth {@code REQUIRED}, or {@code REQUEST} if clients may come without one
   * @param clients whom it trusts
   * @return the option
   */
  public JsonObject serverTls(String clientAuth, Identity... clients) {
    return clientTls(clients).put("clientAuth", clientAuth);
  }

  /**
   * TLS of a client that shows its certificate, as the option {@code tls}.
   *
   * @param servers whom it trusts
   * @return the option
   */
  public JsonObject clientTls(Identity... servers) {
    return trust(servers)
        .put("pfxKeyCertOptions", new JsonObject().put("path", store.toString()).put("password", PASSWORD));
  }

  /**
   * TLS of a client that has no certificate, as the option {@code tls}.
   *
   * @param servers whom it trusts
   * @return the option
   */
  public static JsonObject trust(Identity... servers) {
    JsonArray paths = new JsonArray();
    Stream.of(servers).forEach(server -> paths.add(server.certificate.toString()));
    return new JsonObject().put("pemTrustOptions", new JsonObject().put("certPaths", paths));
  }

  /**
   * Options of a client or a server with TLS.
   *
   * @param tls the option {@code tls}
   * @return to be put under {@code options}
   */
  public static JsonObject options(JsonObject tls) {
    return new JsonObject().put("provider", "siw").put("tls", tls);
  }
}
