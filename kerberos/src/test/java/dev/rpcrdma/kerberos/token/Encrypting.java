// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The other direction of the encryption types, for tests. */
final class Encrypting {

  private static final byte[] CONFOUNDER = {1, 4, 1, 4, 2, 1, 3, 5, 6, 2, 3, 7, 3, 0, 9, 5};

  private Encrypting() {}

  static byte[] encrypt(EncryptionType type, byte[] base, int usage, byte[] plain) {
    byte[] text = joined(CONFOUNDER, plain);
    byte[] encrypted = cts(type.profile().derive(base, usage, Purpose.ENCRYPTION), text);
    byte[] proofKey = type.profile().derive(base, usage, Purpose.INTEGRITY);
    return joined(encrypted, type.profile() instanceof Sha2Profile sha2
        ? Hmac.of(sha2.hash(), proofKey, type.proofLength(), new byte[Aes.BLOCK], encrypted)
        : Hmac.of("HmacSHA1", proofKey, type.proofLength(), text));
  }

  private static byte[] cts(byte[] key, byte[] text) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTS/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[Aes.BLOCK]));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] joined(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }
}
