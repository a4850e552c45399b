// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The block cipher of all encryption types here. */
final class Aes {

  /** Bytes of a block. */
  static final int BLOCK = 16;

  private Aes() {}

  /** One block. */
  static byte[] encryptBlock(byte[] key, byte[] block) {
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
      return cipher.doFinal(block);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no such AES", e);
    }
  }

  /**
   * CBC with an IV of zeros, whose last two blocks are exchanged and cut to the length of the text (RFC 3962 §5).
   *
   * @param text at least one block
   */
  static byte[] decrypt(byte[] key, byte[] text) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTS/NoPadding");
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[BLOCK]));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no such AES", e);
    }
  }
}
