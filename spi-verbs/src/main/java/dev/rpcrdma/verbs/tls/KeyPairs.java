// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.VerbsException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

/**
 * Whether keys and certificates belong together. Nothing else looks before a handshake fails, and files that are
 * replaced one after the other do not for a while.
 */
final class KeyPairs {

  /** By the algorithm of the key, that of a signature to try; others are not tried. */
  private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA",
      "EdDSA", "EdDSA", "Ed25519", "EdDSA", "Ed448", "EdDSA",
      "RSASSA-PSS", "RSASSA-PSS");
  private static final List<String> TYPES = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA");
  private static final byte[] TRIED = {1};

  private KeyPairs() {}

  /**
   * Tries each key.
   *
   * @param keys may be null
   * @throws VerbsException if one does not belong to its certificate
   */
  static void check(KeyManagerFactory keys) throws GeneralSecurityException {
    if (keys != null && keys.getKeyManagers().length > 0 && keys.getKeyManagers()[0] instanceof X509KeyManager all) {
      for (String alias : aliases(all).orElse(List.of())) {
        check(all.getPrivateKey(alias), all.getCertificateChain(alias));
      }
    }
  }

  /** Whether it has no key; one that does not tell may have some. */
  static boolean none(KeyManagerFactory keys) {
    KeyManager[] managers = keys.getKeyManagers();
    return managers.length == 0
        || managers[0] instanceof X509KeyManager all && aliases(all).map(List::isEmpty).orElse(false);
  }

  /** Names of its keys. One that chooses by itself may tell none: handshakes do not ask for them. */
  private static Optional<List<String>> aliases(X509KeyManager keys) {
    try {
      return Optional.of(TYPES.stream().map(type -> keys.getServerAliases(type, null)).filter(Objects::nonNull)
          .flatMap(Arrays::stream).distinct().toList());
    } catch (Throwable e) {
      return Optional.empty();
    }
  }

  private static void check(PrivateKey key, X509Certificate[] chain) throws GeneralSecurityException {
    if (key == null || chain == null || chain.length == 0 || !SIGNATURES.containsKey(key.getAlgorithm())) {
      return;
    }
    if (!fits(key, chain[0])) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "The TLS options cannot be used: the key is not"
          + " that of the certificate of " + chain[0].getSubjectX500Principal());
    }
  }

  private static boolean fits(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
    if (!SIGNATURES.get(key.getAlgorithm()).equals(SIGNATURES.get(certificate.getPublicKey().getAlgorithm()))) {
      return false;
    }
    if (key instanceof RSAKey secret && certificate.getPublicKey() instanceof RSAKey known) {
      // Keys of RSASSA-PSS sign with parameters of their own alone.
      return secret.getModulus().equals(known.getModulus());
    }
    Signature signature = Signature.getInstance(SIGNATURES.get(key.getAlgorithm()));
    signature.initSign(key);
    signature.update(TRIED);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(TRIED);
    try {
      return signature.verify(signed);
    } catch (SignatureException e) {
      // Of another curve: it has not even the length.
      return false;
    }
  }
}
