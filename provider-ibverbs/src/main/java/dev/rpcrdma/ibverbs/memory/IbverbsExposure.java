// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import java.util.Optional;

/** An exposure: a registration of just its range, in the domain of its queue pair. On the owning loop. */
public final class IbverbsExposure implements Exposure {

  final IbverbsExposures exposures;
  final SharedMemory memory;
  private final Object owner;
  private final int offset;
  private final int length;
  private final Access access;
  /** Null until it is registered, and if it cannot be. */
  IbverbsRange range;
  VerbsException failure;
  boolean ended;
  /** Revocations that are not answered. */
  int revocations;
  long revokedAt;

  IbverbsExposure(IbverbsExposures exposures, Object owner, SharedMemory memory, int offset, int length,
      Access access) {
    this.exposures = exposures;
    this.owner = owner;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.access = access;
  }

  /** The peer cannot reach it any more: what it has written is where its consumer looks for it. */
  void takeBack() {
    if (range != null && access == Access.REMOTE_WRITE) {
      range.copyBack(memory, offset, 0, length);
    }
  }

  /** Whether the peer cannot reach it any more. */
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public Object owner() {
    return owner;
  }

  @Override
  public Optional<VerbsException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public int steeringTag() {
    return range == null ? 0 : range.region().remoteKey();
  }

  @Override
  public long remoteOffset() {
    return range == null ? 0 : range.address();
  }

  @Override
  public int length() {
    return length;
  }
}
