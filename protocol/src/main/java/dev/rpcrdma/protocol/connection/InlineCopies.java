package dev.rpcrdma.protocol.connection;

import java.nio.ByteBuffer;

/**
 * Where the inline parts of messages are copied to, since they may outlive the Receive they came in, and
 * are read with less effort on the heap. Most messages are done with before the next one comes, so that
 * the same memory serves one after the other; one that takes longer keeps it.
 */
final class InlineCopies {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private ByteBuffer spare = NONE;

  /** A copy of the remaining bytes, in memory that nobody else has. */
  ByteBuffer copy(ByteBuffer payload) {
    int length = payload.remaining();
    ByteBuffer copy = length <= spare.capacity() ? spare.clear() : ByteBuffer.allocate(length);
    spare = NONE;
    return copy.put(0, payload, payload.position(), length).limit(length);
  }

  /** Takes memory back that nobody looks at any more. */
  void giveBack(ByteBuffer copy) {
    spare = copy;
  }
}
