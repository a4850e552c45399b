// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * A context that stands, on the client. From any thread, but that {@link #numbers} belongs to {@link GssClient}.
 *
 * @param handle the server's name of it
 * @param context signs and encrypts
 * @param peer the server's name, as the mechanism prints it
 * @param end when it is good no more, on the embedder's clock; {@link Long#MAX_VALUE} for never
 * @param numbers those of calls
 * @param channels what is known of each connection that it has to be bound to; belongs to {@link GssClient} too. Those
 *     that have ended go by themselves
 */
record ClientContext(byte[] handle, GssContext context, String peer, long end, SequenceNumbers numbers,
    Map<SecureChannel, BindState> channels) {

  /** What it has to do with a channel. */
  enum BindState { NONE, ASKED, BOUND }

  ClientContext(byte[] handle, GssContext context, String peer, long end, SequenceNumbers numbers) {
    this(handle, context, peer, end, numbers, new WeakHashMap<>());
  }

  BindState state(SecureChannel channel) {
    return channels.getOrDefault(channel, BindState.NONE);
  }

  boolean isOver(long now) {
    return end != Long.MAX_VALUE && end - now <= 0;
  }

  /** Whether the server has signed a number (RFC 2203 §5.3.3.2, §5.2.3.1). */
  static boolean hasSigned(GssContext context, int number, OpaqueAuth verifier) {
    return verifier.flavor() == AuthFlavor.GSS
        && context.verifies(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip(), verifier.body());
  }
}
