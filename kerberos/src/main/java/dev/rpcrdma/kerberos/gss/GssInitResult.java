// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.Arrays;

/**
 * What a server answers to a token (RFC 2203 §5.2.3.1, rpc_gss_init_res).
 *
 * <pre>handle&lt;&gt; | gss_major | gss_minor | seq_window | gss_token&lt;&gt;</pre>
 *
 * @param handle the server's name of the context
 * @param major the mechanism's status; {@link #COMPLETE}, {@link #CONTINUE_NEEDED}, or a failure
 * @param minor of the mechanism
 * @param window how many sequence numbers back the server takes calls
 * @param token for the client's mechanism; empty if there is none
 */
public record GssInitResult(byte[] handle, int major, int minor, int window, byte[] token) {

  /** GSS_S_COMPLETE: the context stands. */
  public static final int COMPLETE = 0;
  /** GSS_S_CONTINUE_NEEDED: the client's mechanism has to answer. */
  public static final int CONTINUE_NEEDED = 1;
  /** The longest token that is taken: a ticket with the groups of a large directory has some 64 KiB. */
  public static final int MAX_TOKEN = 1 << 17;

  /** Copies the arrays. */
  public GssInitResult {
    handle = handle.clone();
    token = token.clone();
  }

  @Override
  public byte[] handle() {
    return handle.clone();
  }

  @Override
  public byte[] token() {
    return token.clone();
  }

  /** Whether the context stands, or will after another token. */
  public boolean isGood() {
    return major == COMPLETE || major == CONTINUE_NEEDED;
  }

  /**
   * Writes it.
   *
   * @param writer behind the head of the reply
   */
  public void encode(XdrWriter writer) {
    writer.opaque(handle).int32(major).int32(minor).int32(window).opaque(token);
  }

  /**
   * Reads one.
   *
   * @param reader behind the head of a reply that is a success
   * @return what it says
   * @throws XdrException if it is cut short, or a handle or token is too long
   */
  public static GssInitResult decode(XdrReader reader) {
    return new GssInitResult(reader.opaque(GssCredential.MAX_HANDLE), reader.int32(), reader.int32(), reader.int32(),
        reader.opaque(MAX_TOKEN));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GssInitResult that && Arrays.equals(handle, that.handle) && major == that.major
        && minor == that.minor && window == that.window && Arrays.equals(token, that.token);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * Arrays.hashCode(handle) + major) + minor) + Arrays.hashCode(token);
  }

  /** Without handle and token. */
  @Override
  public String toString() {
    return "major " + Integer.toHexString(major) + ", minor " + Integer.toUnsignedString(minor) + ", window "
        + Integer.toUnsignedString(window);
  }
}
