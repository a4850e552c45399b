// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A name that a client used (RFC 1813 §2.5, filename3): any bytes, until it is asked for as a name.
 * Whatever leads out of a directory is none.
 */
public final class FileName {

  /** The longest name, in bytes. */
  public static final int MAX_LENGTH = 255;

  private final byte[] bytes;

  private FileName(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads one.
   *
   * @param reader where from
   * @return what was there
   */
  public static FileName decode(XdrReader reader) {
    return new FileName(reader.opaque(Integer.MAX_VALUE));
  }

  /**
   * A name.
   *
   * @param text of a name
   * @return the same
   */
  public static FileName of(String text) {
    return new FileName(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether it is the directory itself.
   *
   * @return true for "."
   */
  public boolean isSelf() {
    return bytes.length == 1 && bytes[0] == '.';
  }

  /**
   * Whether it is the directory above.
   *
   * @return true for ".."
   */
  public boolean isParent() {
    return bytes.length == 2 && bytes[0] == '.' && bytes[1] == '.';
  }

  /**
   * Whether it is one of the two names that every directory has.
   *
   * @return true for "." and ".."
   */
  public boolean isDots() {
    return isSelf() || isParent();
  }

  /**
   * The name of an entry of a directory.
   *
   * @return a name without a slash, that is neither "." nor ".."
   * @throws NfsException if it is not such a name
   */
  public String entry() throws NfsException {
    if (bytes.length > MAX_LENGTH) {
      throw new NfsException(NfsStatus.NAMETOOLONG, "a name of " + bytes.length + " bytes");
    }
    if (bytes.length == 0 || isDots()) {
      throw new NfsException(NfsStatus.ACCES, "not the name of an entry");
    }
    for (byte each : bytes) {
      if (each == '/' || each == 0) {
        throw new NfsException(NfsStatus.ACCES, "a name with a slash or a zero byte");
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new NfsException(NfsStatus.INVAL, "a name that is not UTF-8");
    }
  }
}
