package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.nio.ByteBuffer;

/**
 * A context that stands, on the client. From any thread, but that {@link #numbers} belongs to {@link GssClient}.
 *
 * @param handle the server's name of it
 * @param context signs and encrypts
 * @param peer the server's name, as the mechanism prints it
 * @param end when it is good no more, on the embedder's clock; {@link Long#MAX_VALUE} for never
 * @param numbers those of calls
 */
record ClientContext(byte[] handle, GssContext context, String peer, long end, SequenceNumbers numbers) {

  boolean isOver(long now) {
    return end != Long.MAX_VALUE && end - now <= 0;
  }

  /** Whether the server has signed a number (RFC 2203 §5.3.3.2, §5.2.3.1). */
  static boolean hasSigned(GssContext context, int number, OpaqueAuth verifier) {
    return verifier.flavor() == AuthFlavor.GSS
        && context.verifies(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip(), verifier.body());
  }
}
