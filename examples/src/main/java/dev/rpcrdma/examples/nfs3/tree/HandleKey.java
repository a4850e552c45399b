// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes the handles of one run of the server, and knows them again. Thread-safe. */
final class HandleKey {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final long instance;
  /** Never used itself: a Mac is of one thread. */
  private final Mac keyed;

  HandleKey() {
    SecureRandom random = new SecureRandom();
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    instance = random.nextLong();
    try {
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
    }
  }

  /** The handle of an object; always the same. */
  FileHandle of(long object) {
    Mac mac;
    try {
      mac = (Mac) keyed.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " of this platform cannot be cloned", e);
    }
    mac.update(ByteBuffer.allocate(16).putLong(instance).putLong(object).flip());
    // RFC 2104 §5: half of the output is enough.
    ByteBuffer code = ByteBuffer.wrap(mac.doFinal());
    return new FileHandle(instance, object, code.getLong(), code.getLong());
  }

  /**
   * The object of a handle.
   *
   * @throws NfsException with STALE if it is of another run, BADHANDLE if this one never made it
   */
  long object(FileHandle handle) throws NfsException {
    if (handle.instance() != instance) {
      throw new NfsException(NfsStatus.STALE, "a handle of an earlier run");
    }
    FileHandle made = of(handle.object());
    // In a time that does not tell how much of the code is right.
    if (((made.codeHigh() ^ handle.codeHigh()) | (made.codeLow() ^ handle.codeLow())) != 0) {
      throw new NfsException(NfsStatus.BADHANDLE, "a handle that this server never made");
    }
    return handle.object();
  }
}
