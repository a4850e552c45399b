// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.support.HostMemory;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The exposures of one connection, by steering tag. Confined to the connection's event loop.
 *
 * <p>The peer's work requests are carried out on that loop too, each as a whole. So a revocation never meets one that
 * is under way, and takes effect at once.
 */
final class FabricExposures {

  private static final SecureRandom TAGS = new SecureRandom();

  private final Map<Integer, FabricExposure> live = new HashMap<>();

  /** Exposes a checked range; one use of the memory is added. */
  FabricExposure expose(Object owner, HostMemory memory, int offset, int length, Access access) {
    memory.use();
    int tag;
    do {
      tag = TAGS.nextInt();
    } while (tag == 0 || live.containsKey(tag));
    // Positive, far from both ends of the 64 bits, and telling nothing about addresses.
    long remoteOffset = (TAGS.nextInt() & 0x7FFFFFFFL) << 20;
    FabricExposure exposure =
        new FabricExposure(this, owner, memory, offset, length, access, tag, remoteOffset, Optional.empty());
    live.put(tag, exposure);
    return exposure;
  }

  /**
   * The exposure that an access of the peer falls in.
   *
   * @throws RefusedException if there is none, or not one for this access and all of the range
   */
  FabricExposure find(int tag, Access access, long from, int length) throws RefusedException {
    FabricExposure exposure = live.get(tag);
    if (exposure == null) {
      throw refused("There is no exposure with steering tag 0x%08x".formatted(tag), tag);
    }
    if (exposure.access() != access) {
      throw refused("Steering tag 0x%08x is not for %s".formatted(tag, access), tag);
    }
    if (!exposure.covers(from, length)) {
      throw refused("Steering tag 0x%08x does not cover 0x%x+%d".formatted(tag, from, length), tag);
    }
    return exposure;
  }

  private static RefusedException refused(String message, int tag) {
    return new RefusedException(message, OptionalInt.of(tag));
  }

  /** Whether the peer may invalidate a tag. */
  boolean isLive(int tag) {
    return live.containsKey(tag);
  }

  /** Whether an exposure was made here. */
  boolean has(FabricExposure exposure) {
    return exposure.table() == this;
  }

  /** Ends an exposure that was made here, unless it has ended. */
  void revoke(FabricExposure exposure) {
    if (live.remove(exposure.steeringTag(), exposure)) {
      exposure.memory().unuse();
    }
  }

  /** Ends a live exposure on behalf of the peer. */
  void invalidate(int tag) {
    live.remove(tag).memory().unuse();
  }

  void endAll() {
    live.values().forEach(exposure -> exposure.memory().unuse());
    live.clear();
  }

  int size() {
    return live.size();
  }
}
