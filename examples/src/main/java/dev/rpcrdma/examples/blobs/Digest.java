// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 that is computed piece by piece. */
final class Digest {

  private static final byte[] ZEROS = new byte[1 << 16];

  private final MessageDigest digest;

  Digest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  static String of(ByteBuffer bytes) {
    return new Digest().add(bytes).hex();
  }

  Digest add(ByteBuffer bytes) {
    digest.update(bytes);
    return this;
  }

  Digest add(Buffer bytes) {
    digest.update(bytes.getBytes());
    return this;
  }

  /** A hole reads as zeros. */
  Digest add(Extent extent) {
    if (extent.data().isPresent()) {
      return add(extent.data().get());
    }
    for (long left = extent.length(); left > 0; left -= ZEROS.length) {
      digest.update(ZEROS, 0, (int) Math.min(left, ZEROS.length));
    }
    return this;
  }

  /** The digest of all that was added; once. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
