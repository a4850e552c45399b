// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The channel bindings of TLS that are known at both ends with each version of it: the hash of the certificate by which
 * the server has proved who it is (RFC 5929 §4, tls-server-end-point). Whoever ends TLS in the middle has another
 * certificate, or has the server's key.
 */
public final class ServerEndPoint {

  private static final byte[] PREFIX = "tls-server-end-point:".getBytes(StandardCharsets.US_ASCII);
  /** Behind the hash in the JDK's names of signatures, such as SHA256withRSA. */
  private static final String WITH = "WITH";

  private ServerEndPoint() {}

  /**
   * The bindings of a connection.
   *
   * @param server what the server has shown: its own certificate first
   * @return empty if it has shown none, or its certificate was not signed with one hash, as with Ed25519
   */
  public static Optional<byte[]> bindings(List<Certificate> server) {
    if (server.isEmpty() || !(server.get(0) instanceof X509Certificate certificate)) {
      return Optional.empty();
    }
    return hash(certificate).flatMap(algorithm -> bindings(certificate, algorithm));
  }

  private static Optional<byte[]> bindings(X509Certificate certificate, String algorithm) {
    try {
      byte[] hash = MessageDigest.getInstance(algorithm).digest(certificate.getEncoded());
      byte[] bindings = new byte[PREFIX.length + hash.length];
      System.arraycopy(PREFIX, 0, bindings, 0, PREFIX.length);
      System.arraycopy(hash, 0, bindings, PREFIX.length, hash.length);
      return Optional.of(bindings);
    } catch (GeneralSecurityException e) {
      // A hash that this Java does not know.
      return Optional.empty();
    }
  }

  private static Optional<String> hash(X509Certificate certificate) {
    String signature = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    int with = signature.indexOf(WITH);
    Optional<String> hash = with > 0 ? Optional.of(signature.substring(0, with))
        : "RSASSA-PSS".equals(signature) ? hashOfPss(certificate) : Optional.empty();
    return hash.map(ServerEndPoint::named);
  }

  private static Optional<String> hashOfPss(X509Certificate certificate) {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
      parameters.init(certificate.getSigAlgParams());
      return Optional.of(parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm());
    } catch (GeneralSecurityException | IOException e) {
      return Optional.empty();
    }
  }

  /** As digests are called; in place of MD5 and SHA-1 it is SHA-256 (RFC 5929 §4.1). */
  private static String named(String hash) {
    return switch (hash.replace("-", "")) {
      case "MD5", "SHA1" -> "SHA-256";
      case "SHA224" -> "SHA-224";
      case "SHA256" -> "SHA-256";
      case "SHA384" -> "SHA-384";
      case "SHA512" -> "SHA-512";
      default -> hash;
    };
  }
}
