// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A mechanism of tests: signs by HMAC, and encrypts by a fixed pad. Both ends have the key. */
public final class ToyContext implements GssContext {

  private static final int PROOF = 32;

  private final byte[] key;

  public ToyContext(String key) {
    this.key = key.getBytes();
  }

  @Override
  public byte[] sign(ByteBuffer message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(message.duplicate());
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean verifies(ByteBuffer message, byte[] proof) {
    return MessageDigest.isEqual(sign(message), proof);
  }

  @Override
  public byte[] wrap(ByteBuffer message) {
    byte[] hidden = hidden(message);
    return ByteBuffer.allocate(PROOF + hidden.length).put(sign(message)).put(hidden).array();
  }

  @Override
  public Optional<byte[]> unwrap(ByteBuffer wrapped) {
    if (wrapped.remaining() < PROOF) {
      return Optional.empty();
    }
    byte[] all = new byte[wrapped.remaining()];
    wrapped.duplicate().get(all);
    byte[] message = hidden(ByteBuffer.wrap(all, PROOF, all.length - PROOF));
    return verifies(ByteBuffer.wrap(message), Arrays.copyOf(all, PROOF)) ? Optional.of(message) : Optional.empty();
  }

  private byte[] hidden(ByteBuffer message) {
    byte[] bytes = new byte[message.remaining()];
    message.duplicate().get(bytes);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= key[i % key.length];
    }
    return bytes;
  }

  @Override
  public int proofLength() {
    return PROOF;
  }

  @Override
  public int wrapOverhead() {
    return PROOF;
  }
}
