// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client says of its channel, in the verifier of the call that binds a context to it (RFC 5403 §3.3,
 * rgss2_bind_chan_verf_args).
 *
 * <pre>prefix&lt;&gt; | object identifier of a hash&lt;&gt; | proof&lt;&gt;</pre>
 *
 * @param prefix what kind of bindings it has
 * @param hash how they are hashed
 * @param proof signs the head of the call, and the hash
 */
record BindArguments(byte[] prefix, byte[] hash, byte[] proof) {

  private static final byte COLON = ':';

  /** The prefix of bindings: what is before the first colon, or all if there is none. */
  static byte[] prefixOf(byte[] bindings) {
    int length = 0;
    while (length < bindings.length && bindings[length] != COLON) {
      length++;
    }
    return ByteBuffer.allocate(length).put(bindings, 0, length).array();
  }

  /** What the proof signs. */
  static ByteBuffer signed(ByteBuffer head, byte[] hash) {
    byte[] end = new XdrWriter().opaque(hash).toByteArray();
    return ByteBuffer.allocate(head.remaining() + end.length).put(head.duplicate()).put(end).flip();
  }

  OpaqueAuth verifier() {
    return new OpaqueAuth(AuthFlavor.GSS,
        new XdrWriter().opaque(prefix).opaque(hash).opaque(proof).toByteArray());
  }

  /** Reads them; fails with an {@link XdrException} if the verifier is of another kind, or malformed. */
  static BindArguments from(OpaqueAuth verifier) {
    if (verifier.flavor() != AuthFlavor.GSS) {
      throw new XdrException("The verifier is not of RPCSEC_GSS");
    }
    XdrReader reader = new XdrReader(ByteBuffer.wrap(verifier.body()));
    BindArguments read = new BindArguments(reader.opaque(OpaqueAuth.MAX_BODY), reader.opaque(OpaqueAuth.MAX_BODY),
        reader.opaque(OpaqueAuth.MAX_BODY));
    reader.end();
    return read;
  }

  /** Without the proof. */
  @Override
  public String toString() {
    return new String(prefix, StandardCharsets.US_ASCII);
  }
}
