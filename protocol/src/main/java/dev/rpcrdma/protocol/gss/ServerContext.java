package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;

/** A context that stands, on the server: shared by all connections of whoever has made it. From any thread. */
final class ServerContext {

  private final GssContext context;
  private final String principal;
  private final long end;
  private final SequenceWindow window;

  /**
   * Creates it.
   *
   * @param end when it is good no more, on the embedder's clock; {@link Long#MAX_VALUE} for never
   */
  ServerContext(GssContext context, String principal, long end, int window) {
    this.context = context;
    this.principal = principal;
    this.end = end;
    this.window = new SequenceWindow(window);
  }

  GssContext context() {
    return context;
  }

  String principal() {
    return principal;
  }

  boolean isOver(long now) {
    return end != Long.MAX_VALUE && end - now <= 0;
  }

  /** Whether this user has made a call with that head. */
  boolean hasSigned(ByteBuffer head, OpaqueAuth verifier) {
    return verifier.flavor() == AuthFlavor.GSS && context.verifies(head, verifier.body());
  }

  /** Takes the number of a call whose head is verified; false if it was there, or comes too late. */
  synchronized boolean take(int sequence) {
    return window.take(sequence);
  }

  /** The proof that this end has made a reply (RFC 2203 §5.3.3.2), or has made the context (§5.2.3.1). */
  OpaqueAuth verifier(int number) {
    return new OpaqueAuth(AuthFlavor.GSS,
        context.sign(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip()));
  }

  /** How long that proof is. */
  int verifierLength() {
    return verifierLength(context);
  }

  static int verifierLength(GssContext context) {
    return 2 * Integer.BYTES + Xdr.pad(context.proofLength());
  }
}
