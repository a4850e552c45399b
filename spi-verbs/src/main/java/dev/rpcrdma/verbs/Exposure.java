package dev.rpcrdma.verbs;

import java.util.Optional;

/**
 * A range of memory that one peer can reach under a steering tag. Confined to its queue pair: the
 * tag is of no use on another connection. The tag is unpredictable, and is another one each time.
 */
public interface Exposure {

  /**
   * The identification given to {@link QueuePair#expose}.
   *
   * @return the id
   */
  long id();

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
