// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;

/**
 * Finds out whether an RPC message ends within its head (RFC 5531 §9), without decoding the head. Values outside their
 * domains are left to the decoder of the head: they do not make a message too short.
 */
public final class MessageHead {

  /** Length of the shortest RPC message in bytes: a reply that denies a call with AUTH_ERROR. */
  private static final int SHORTEST = 20;
  /** End of an opaque_auth that ends behind its message. */
  private static final int BEHIND = Integer.MAX_VALUE;
  /** End of an opaque_auth whose length is outside its domain. */
  private static final int NOWHERE = -1;

  private MessageHead() {}

  /**
   * Tells whether a message is too short to be an RPC message of its msg_type.
   *
   * @param message from its position, which is kept, to its limit
   * @return true if the message ends within its head
   */
  public static boolean cutShort(ByteBuffer message) {
    if (message.remaining() < 2 * Integer.BYTES) {
      return true;
    }
    return switch (word(message, 4)) {
      case OncRpc.CALL -> callCutShort(message);
      case OncRpc.REPLY -> replyCutShort(message);
      default -> message.remaining() < SHORTEST;
    };
  }

  private static boolean callCutShort(ByteBuffer message) {
    if (message.remaining() < 3 * Integer.BYTES) {
      return true;
    }
    if (word(message, 8) != OncRpc.RPC_VERSION) {
      // Nobody here knows what follows in another version.
      return false;
    }
    int credentialEnd = authEnd(message, CallHeader.FIXED_LENGTH);
    return credentialEnd > message.remaining()
        || credentialEnd != NOWHERE && authEnd(message, credentialEnd) > message.remaining();
  }

  private static boolean replyCutShort(ByteBuffer message) {
    if (message.remaining() < SHORTEST) {
      return true;
    }
    int stat = word(message, 8);
    if (stat == ReplyHeader.DENIED) {
      return word(message, 12) == ReplyHeader.RPC_MISMATCH && message.remaining() < SHORTEST + Integer.BYTES;
    }
    if (stat != ReplyHeader.ACCEPTED) {
      return false;
    }
    int verifierEnd = authEnd(message, 3 * Integer.BYTES);
    if (verifierEnd == NOWHERE) {
      return false;
    }
    int left = message.remaining() - verifierEnd;
    return left < Integer.BYTES || left < 3 * Integer.BYTES
        && word(message, verifierEnd) == AcceptStatus.PROG_MISMATCH.ordinal();
  }

  /** Returns the offset of the first byte behind an opaque_auth, or {@link #BEHIND}, or {@link #NOWHERE}. */
  private static int authEnd(ByteBuffer message, int at) {
    if (message.remaining() < at + 2 * Integer.BYTES) {
      return BEHIND;
    }
    int length = word(message, at + Integer.BYTES);
    return length < 0 || length > OpaqueAuth.MAX_BODY ? NOWHERE : at + 2 * Integer.BYTES + Xdr.pad(length);
  }

  private static int word(ByteBuffer message, int at) {
    return message.getInt(message.position() + at);
  }
}
