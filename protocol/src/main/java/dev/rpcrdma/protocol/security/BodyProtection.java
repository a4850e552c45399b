// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How the arguments and the results of one call are protected as a whole: no data item leaves them then. Small
 * bodies are done at once; large ones on a thread of somebody else's, which then tells the outcome.
 */
public interface BodyProtection {

  /**
   * How long a body can become.
   *
   * @param length bytes of the plain body
   * @return bytes at most, a multiple of four
   */
  long protectedLength(long length);

  /**
   * Protects a body.
   *
   * @param body between position and limit, which stay; not changed by anybody until it is told
   * @param then hears, on any thread, what takes its place; empty if it cannot be done
   */
  void protect(ByteBuffer body, Consumer<Optional<byte[]>> then);

  /**
   * Opens a body of the peer's.
   *
   * @param body between position and limit, which stay; to be read during this call only
   * @param then hears, on any thread, the plain body, in memory of its own; empty if the peer has not protected just
   *     this, for this call
   */
  void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then);
}
