// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.HostMemory;
import java.util.Optional;

/**
 * One exposure, live or not made at all. Confined to the event loop of its connection.
 *
 * @param table whose it is; null if it was not made
 * @param owner as given by the consumer
 * @param memory what is exposed; null if it was not made
 * @param offset first byte in the memory
 * @param length number of bytes
 * @param access what the peer may do
 * @param steeringTag of the range
 * @param remoteOffset address of the first byte under the tag
 * @param failure why it was not made
 */
record FabricExposure(FabricExposures table, Object owner, HostMemory memory, int offset, int length, Access access,
    int steeringTag, long remoteOffset, Optional<VerbsException> failure) implements Exposure {

  /** The answer to an exposure that was not made. */
  static FabricExposure failed(Object owner, int length, VerbsException failure) {
    return new FabricExposure(null, owner, null, 0, length, Access.REMOTE_READ, 0, 0, Optional.of(failure));
  }

  /** Whether a range under the tag is wholly exposed. A range that wraps around 64 bits is not. */
  boolean covers(long from, int bytes) {
    long start = from - remoteOffset;
    return start >= 0 && start <= length - (long) bytes;
  }

  /** Where a range that is covered begins in the memory. */
  int index(long from) {
    return offset + (int) (from - remoteOffset);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return steeringTag;
  }
}
