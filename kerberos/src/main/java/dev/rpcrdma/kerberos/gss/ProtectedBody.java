// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;

/**
 * Arguments and results under protection (RFC 2203 §5.3.2). With integrity and privacy the sequence number of the call
 * stands in front of them, so that none can be taken for those of another call.
 *
 * <pre>
 * none:      body
 * integrity: opaque&lt;seq_num | body&gt; | opaque&lt;proof&gt;
 * privacy:   opaque&lt;wrapped(seq_num | body)&gt;
 * </pre>
 *
 * <p>All of it is in memory: nobody sees what was not verified, or is not yet decrypted.
 */
public final class ProtectedBody {

  private ProtectedBody() {}

  /**
   * Protects arguments or results.
   *
   * @param service how
   * @param context who signs or encrypts
   * @param sequence of the call, also for its results
   * @param body encoded, between position and limit, which stay
   * @return what follows the head of the message
   */
  public static byte[] protect(GssService service, GssContext context, int sequence, ByteBuffer body) {
    if (!service.hasProtectedBodies()) {
      return bytes(body);
    }
    return service == GssService.INTEGRITY ? signed(context, sequence, body) : wrapped(context, sequence, body);
  }

  /** Where it is signed is where it stays: bodies are large. */
  private static byte[] signed(GssContext context, int sequence, ByteBuffer body) {
    int length = Integer.BYTES + body.remaining();
    ByteBuffer message = ByteBuffer.allocate(Math.toIntExact(length(GssService.INTEGRITY, context, body.remaining())));
    message.putInt(length).putInt(sequence).put(body.duplicate());
    byte[] proof = context.sign(message.slice(Integer.BYTES, length));
    return message.position(Integer.BYTES + Xdr.pad(length)).putInt(proof.length).put(proof).array();
  }

  private static byte[] wrapped(GssContext context, int sequence, ByteBuffer body) {
    byte[] token = context.wrap(ByteBuffer.allocate(Integer.BYTES + body.remaining()).putInt(sequence)
        .put(body.duplicate()).flip());
    return ByteBuffer.allocate(Integer.BYTES + Xdr.pad(token.length)).putInt(token.length).put(token).array();
  }

  /**
   * How long arguments or results become.
   *
   * @param service how they are protected
   * @param context who signs or encrypts
   * @param length of the plain body
   * @return bytes at most, a multiple of four
   */
  public static long length(GssService service, GssContext context, long length) {
    long numbered = Integer.BYTES + length;
    return switch (service) {
      case NONE, CHANNEL -> Xdr.pad(length);
      case INTEGRITY -> 2 * Integer.BYTES + Xdr.pad(numbered) + Xdr.pad(context.proofLength());
      case PRIVACY -> Integer.BYTES + Xdr.pad(numbered + context.wrapOverhead());
    };
  }

  /**
   * Opens arguments or results.
   *
   * @param service how they were protected
   * @param context who verifies or decrypts
   * @param sequence of the call
   * @param message what follows the head of the message, between position and limit, which stay
   * @return the body, which may be a part of the message's memory
   * @throws XdrException if it is malformed, was not made by the peer, or is of another call
   */
  public static ByteBuffer open(GssService service, GssVerifier context, int sequence, ByteBuffer message) {
    if (!service.hasProtectedBodies()) {
      return ByteBuffer.wrap(bytes(message));
    }
    XdrReader reader = new XdrReader(message.slice());
    int length = reader.opaqueView(Integer.MAX_VALUE).remaining();
    // Not the reader's view, which has no array that a mechanism could use.
    ByteBuffer first = message.slice(message.position() + Integer.BYTES, length);
    ByteBuffer body = service == GssService.INTEGRITY ? verified(context, first, reader) : unwrapped(context, first);
    reader.end();
    if (body.remaining() < Integer.BYTES) {
      throw new XdrException("A protected body of RPCSEC_GSS has no sequence number");
    }
    int found = body.getInt();
    if (found != sequence) {
      throw new XdrException("A protected body of RPCSEC_GSS is of call " + Integer.toUnsignedString(found)
          + ", not of " + Integer.toUnsignedString(sequence));
    }
    return body.slice();
  }

  private static ByteBuffer verified(GssVerifier context, ByteBuffer numbered, XdrReader reader) {
    if (!context.verifies(numbered, reader.opaque(Integer.MAX_VALUE))) {
      throw new XdrException("The peer has not signed this body");
    }
    return numbered;
  }

  private static ByteBuffer unwrapped(GssVerifier context, ByteBuffer token) {
    return ByteBuffer.wrap(context.unwrap(token)
        .orElseThrow(() -> new XdrException("The peer has not encrypted this body")));
  }

  private static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(from.position(), bytes);
    return bytes;
  }
}
