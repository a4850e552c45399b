// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server says to a channel, in the verifier of its reply (RFC 5403 §3.3, rgss2_bind_chan_verf_res).
 *
 * <pre>status | what it knows instead&lt;&gt;&lt;&gt;, unless it is OK | proof&lt;&gt;</pre>
 *
 * <p>Only what is OK has a proof here, unlike in the RFC. Any other status answers a call that cannot be verified, so
 * that whoever is on the path could have proofs made; and they would be good for something else: a number of the
 * caller's choice and what follows it is signed as the results of a call with integrity are.
 *
 * @param status whether the context is bound
 * @param known prefixes, or object identifiers of hashes, that the server knows; none if it is bound
 * @param proof signs the number of the call, the hash, and the status; empty if it is not bound
 */
record BindAnswer(Status status, List<byte[]> known, byte[] proof) {

  /** The ordinal is the wire value (rgss2_bind_chan_status). */
  enum Status { OK, PREFIX_NOT_SUPPORTED, HASH_NOT_SUPPORTED }

  private static final Status[] STATUSES = Status.values();

  static BindAnswer bound(GssContext context, int sequence, byte[] hash) {
    return new BindAnswer(Status.OK, List.of(), context.sign(signed(sequence, hash)));
  }

  static BindAnswer refused(Status status, List<byte[]> known) {
    return new BindAnswer(status, known, new byte[0]);
  }

  /** What the proof of {@link Status#OK} signs (rgss2_bind_chan_MIC_in_res). */
  private static ByteBuffer signed(int sequence, byte[] hash) {
    return ByteBuffer.wrap(new XdrWriter().int32(sequence).opaque(hash).int32(Status.OK.ordinal()).toByteArray());
  }

  /** Whether the peer has signed that it is bound. */
  boolean isBound(GssContext context, int sequence, byte[] hash) {
    return status == Status.OK && context.verifies(signed(sequence, hash), proof);
  }

  OpaqueAuth verifier() {
    XdrWriter writer = new XdrWriter().int32(status.ordinal());
    if (status != Status.OK) {
      writer.int32(known.size());
      known.forEach(writer::opaque);
    }
    return new OpaqueAuth(AuthFlavor.GSS, writer.opaque(proof).toByteArray());
  }

  /** Reads it; fails with an {@link XdrException} if the verifier is of another kind, or malformed. */
  static BindAnswer from(OpaqueAuth verifier) {
    if (verifier.flavor() != AuthFlavor.GSS) {
      throw new XdrException("The verifier is not of RPCSEC_GSS");
    }
    XdrReader reader = new XdrReader(ByteBuffer.wrap(verifier.body()));
    int status = reader.int32();
    if (status < 0 || status >= STATUSES.length) {
      throw new XdrException("No such rgss2_bind_chan_status: " + Integer.toUnsignedString(status));
    }
    List<byte[]> known = new ArrayList<>();
    for (int left = status == Status.OK.ordinal() ? 0 : reader.count(OpaqueAuth.MAX_BODY / Integer.BYTES); left > 0;
        left--) {
      known.add(reader.opaque(OpaqueAuth.MAX_BODY));
    }
    BindAnswer read = new BindAnswer(STATUSES[status], known, reader.opaque(OpaqueAuth.MAX_BODY));
    reader.end();
    return read;
  }
}
