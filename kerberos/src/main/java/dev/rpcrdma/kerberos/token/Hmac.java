// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Keyed hashes, cut to what an encryption type uses of them. */
final class Hmac {

  private Hmac() {}

  /**
   * Hashes.
   *
   * @param algorithm as the JDK calls it
   * @param key not empty
   * @param length bytes of the result
   * @param parts what is hashed, one behind the other
   */
  static byte[] of(String algorithm, byte[] key, int length, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return Arrays.copyOf(mac.doFinal(), length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no " + algorithm, e);
    }
  }
}
