// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Optional;

/**
 * A range of memory that one peer can reach under a steering tag, and the token by which that is ended. Confined
 * to its queue pair: the tag is of no use on another connection. The tag is unpredictable, and is another one
 * each time.
 *
 * <p>{@link QueuePair#expose} returns it at once; all but its owner is known when
 * {@link QueuePairHandler#exposed} announces it.
 */
public interface Exposure {

  /**
   * Whom it belongs to.
   *
   * @return what was given to {@link QueuePair#expose}
   */
  Object owner();

  /**
   * Why the memory could not be exposed.
   *
   * @return empty for a usable exposure
   */
  Optional<VerbsException> failure();

  /**
   * The steering tag (R_key) to advertise.
   *
   * @return 32 bits
   */
  int steeringTag();

  /**
   * The address, under the tag, of the first exposed byte.
   *
   * @return an opaque unsigned 64-bit value
   */
  long remoteOffset();

  /**
   * How many bytes are exposed.
   *
   * @return the length
   */
  int length();
}
