// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A credential or verifier (RFC 5531 §8.2, opaque_auth): a flavor's number and up to 400 bytes whose
 * meaning the flavor defines. Immutable.
 */
public final class OpaqueAuth implements Credential {

  /** The longest body. */
  public static final int MAX_BODY = 400;

  /** AUTH_NONE: nobody in particular. */
  public static final OpaqueAuth NONE = new OpaqueAuth(AuthFlavor.NONE, new byte[0]);

  private final int flavor;
  private final byte[] body;

  /**
   * Creates one.
   *
   * @param flavor see {@link AuthFlavor}
   * @param body at most {@link #MAX_BODY} bytes; copied
   */
  public OpaqueAuth(int flavor, byte[] body) {
    if (body.length > MAX_BODY) {
      throw new XdrException("An auth body has at most " + MAX_BODY + " bytes, not " + body.length);
    }
    this.flavor = flavor;
    this.body = body.clone();
  }

  /**
   * The flavor's number.
   *
   * @return see {@link AuthFlavor}
   */
  public int flavor() {
    return flavor;
  }

  /**
   * What the flavor says.
   *
   * @return a copy
   */
  public byte[] body() {
    return body.clone();
  }

  /**
   * Its size on the wire.
   *
   * @return bytes
   */
  public int encodedLength() {
    return 8 + Xdr.pad(body.length);
  }

  @Override
  public int lengthInCall() {
    return encodedLength() + NONE.encodedLength();
  }

  @Override
  public void writeInCall(ByteBuffer target, int start) {
    write(target);
    NONE.write(target);
  }

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(flavor).opaque(body);
  }

  /**
   * Writes it.
   *
   * @param target position advances by {@link #encodedLength()}
   */
  public void write(ByteBuffer target) {
    target.putInt(flavor).putInt(body.length).put(body);
    for (int pad = Xdr.pad(body.length) - body.length; pad > 0; pad--) {
      target.put((byte) 0);
    }
  }

  /**
   * Reads one.
   *
   * @param reader where from
   * @return the value
   */
  public static OpaqueAuth decode(XdrReader reader) {
    int flavor = reader.int32();
    int length = reader.count(MAX_BODY);
    if (flavor == AuthFlavor.NONE && length == 0) {
      return NONE;
    }
    return new OpaqueAuth(flavor, reader.fixedOpaque(length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpaqueAuth that && flavor == that.flavor
        && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return 31 * flavor + Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    return "flavor " + Integer.toUnsignedString(flavor) + ", " + body.length + " bytes";
  }
}
