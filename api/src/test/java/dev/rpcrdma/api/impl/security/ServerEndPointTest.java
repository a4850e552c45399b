// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection with TLS is known by at both ends (RFC 5929 §4). */
class ServerEndPointTest {

  /** One that was made by keytool, named by what has signed it. */
  private static Certificate certificate(String name) throws CertificateException, IOException {
    try (InputStream pem = ServerEndPointTest.class.getResourceAsStream(name + ".pem")) {
      return CertificateFactory.getInstance("X.509").generateCertificate(pem);
    }
  }

  /**
   * The hashes were made of the files by something else than Java. Fails if {@code ServerEndPoint.hash} or
   * {@code named} takes another algorithm.
   */
  @ParameterizedTest
  @CsvSource({
      "ecdsa-sha256, e71ad11fb55543691fecc238c2b36d42ac636582fc9a79207364074c2636cce4",
      "ecdsa-sha384, 115f17a81f4e632ba1dbe4aff4fe65250370e1a958866d55c6a63319db2028117e23442f1dde0b79"
          + "5a0c3aea73df32c7",
      "rsa-sha512, a8a6a79f7686b669e5eab5f9fec5cb45ce65d09e1b71b15317c92af6d7c396a8cb78303c17451504"
          + "120bdcff1a447d3d07fa478114260e89da9fabef709f2e8b",
      "rsa-sha1, bbf7a69e894df98e04b41e3b0f1def6522e2823b3306c967bc21fc0907d7dc6f",
      "pss-sha256, 602e32557204363107bee5d1db2d2720f89a91b0cf8066947ad0659ffe6b5539",
      "pss-sha384, 5eaa94315965345b4ec1030e79d15b1f851470fcf1332e285c11724cce5d6767d7ff685325ee89e5"
          + "834ea5fbb5280360"})
  @DisplayName("R-329: the hash of the server's certificate, by what it was signed with; by SHA-256 where that is too"
      + " weak")
  void hashes(String name, String hash) throws Exception {
    byte[] prefix = "tls-server-end-point:".getBytes(StandardCharsets.US_ASCII);
    byte[] bindings = ServerEndPoint.bindings(List.of(certificate(name))).orElseThrow();
    assertThat(Arrays.copyOf(bindings, prefix.length)).isEqualTo(prefix);
    assertThat(HexFormat.of().formatHex(bindings, prefix.length, bindings.length)).isEqualTo(hash);
  }

  @Test
  @DisplayName("R-329: none without a certificate, or with one whose signature has no hash of its own")
  void none() throws Exception {
    assertThat(ServerEndPoint.bindings(List.of())).isEmpty();
    assertThat(ServerEndPoint.bindings(List.of(certificate("ed25519")))).isEmpty();
  }
}
