package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
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
 * <p>All of it is in memory, and copied: nobody sees what was not verified, or is not yet decrypted.
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
    if (service == GssService.NONE) {
      return bytes(body);
    }
    ByteBuffer numbered = ByteBuffer.allocate(Integer.BYTES + body.remaining()).putInt(sequence)
        .put(body.duplicate()).flip();
    XdrWriter writer = new XdrWriter();
    if (service == GssService.INTEGRITY) {
      writer.opaque(numbered.array()).opaque(context.sign(numbered));
    } else {
      writer.opaque(context.wrap(numbered));
    }
    return writer.toByteArray();
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
      case NONE -> Xdr.pad(length);
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
   * @return the body
   * @throws XdrException if it is malformed, was not made by the peer, or is of another call
   */
  public static ByteBuffer open(GssService service, GssVerifier context, int sequence, ByteBuffer message) {
    if (service == GssService.NONE) {
      return ByteBuffer.wrap(bytes(message));
    }
    XdrReader reader = new XdrReader(message.slice());
    byte[] numbered = service == GssService.INTEGRITY ? verified(context, reader) : unwrapped(context, reader);
    reader.end();
    ByteBuffer body = ByteBuffer.wrap(numbered);
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

  private static byte[] verified(GssVerifier context, XdrReader reader) {
    byte[] numbered = reader.opaque(Integer.MAX_VALUE);
    if (!context.verifies(ByteBuffer.wrap(numbered), reader.opaque(Integer.MAX_VALUE))) {
      throw new XdrException("The peer has not signed this body");
    }
    return numbered;
  }

  private static byte[] unwrapped(GssVerifier context, XdrReader reader) {
    return context.unwrap(ByteBuffer.wrap(reader.opaque(Integer.MAX_VALUE)))
        .orElseThrow(() -> new XdrException("The peer has not encrypted this body"));
  }

  private static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(from.position(), bytes);
    return bytes;
  }
}
