// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import java.nio.ByteBuffer;

/**
 * Where the inline parts of messages are copied to, since they may outlive the Receive they came in, and
 * are read with less effort on the heap. Most messages are done with before the next one comes, so that
 * the same memory serves one after the other; one that takes longer keeps it.
 */
public final class InlineCopies {

  private ByteBuffer spare = ByteBuffer.allocate(0);
  private boolean lent;

  /** A copy of the remaining bytes, in memory that nobody else has. */
  public ByteBuffer copy(ByteBuffer payload) {
    int length = payload.remaining();
    ByteBuffer copy;
    if (lent || length > spare.capacity()) {
      copy = ByteBuffer.allocate(length);
    } else {
      copy = spare.clear();
      lent = true;
    }
    return copy.put(0, payload, payload.position(), length).limit(length);
  }

  /** Takes memory back that nobody looks at any more. */
  public void giveBack(ByteBuffer copy) {
    if (spare != copy) {
      // The one that was lent before may be kept by who has it.
      spare = copy;
    }
    lent = false;
  }
}
