package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.TestKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection with TLS is known by at both ends (RFC 5929 §4). */
class ServerEndPointTest {

  private static final String NAMES = "ip:127.0.0.1";

  /** Fails if {@code ServerEndPoint.hash} or {@code named} takes another hash. */
  @ParameterizedTest
  @CsvSource({
      "-keyalg EC -groupname secp256r1 -sigalg SHA256withECDSA, SHA-256",
      "-keyalg EC -groupname secp256r1 -sigalg SHA384withECDSA, SHA-384",
      "-keyalg RSA -keysize 2048 -sigalg SHA512withRSA, SHA-512",
      "-keyalg RSA -keysize 2048 -sigalg SHA1withRSA, SHA-256",
      "-keyalg RSASSA-PSS -keysize 2048 -sigalg RSASSA-PSS, SHA-256",
      "-keyalg RSASSA-PSS -keysize 4096 -sigalg RSASSA-PSS, SHA-384"})
  @DisplayName("R-329: the hash of the server's certificate, by what it was signed with; by SHA-256 where that is too weak")
  void hashes(String algorithm, String hash) throws Exception {
    X509Certificate certificate = TestKeys.forNames(NAMES, algorithm.split(" ")).x509();
    byte[] prefix = "tls-server-end-point:".getBytes(StandardCharsets.US_ASCII);
    byte[] expected = MessageDigest.getInstance(hash).digest(certificate.getEncoded());
    assertThat(ServerEndPoint.bindings(List.of(certificate))).hasValueSatisfying(bindings -> {
      assertThat(Arrays.copyOf(bindings, prefix.length)).isEqualTo(prefix);
      assertThat(Arrays.copyOfRange(bindings, prefix.length, bindings.length)).isEqualTo(expected);
    });
  }

  @Test
  @DisplayName("R-329: none without a certificate, or with one whose signature has no hash of its own")
  void none() {
    assertThat(ServerEndPoint.bindings(List.of())).isEmpty();
    assertThat(ServerEndPoint.bindings(List.of(TestKeys.forNames(NAMES, "-keyalg", "Ed25519").x509()))).isEmpty();
  }
}
