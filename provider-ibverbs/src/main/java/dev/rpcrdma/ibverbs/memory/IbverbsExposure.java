package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import java.util.Optional;

/** An exposure: a registration of just its range, in the domain of its queue pair. On the owning loop. */
public final class IbverbsExposure implements Exposure {

  final Exposures owner;
  final SharedMemory memory;
  private final Object ownerOfConsumer;
  private final int length;
  private final long remoteOffset;
  /** Null until it is registered, and if it cannot be. */
  Region region;
  VerbsException failure;
  boolean ended;
  /** Revocations that are not answered. */
  int revocations;
  long revokedAt;

  IbverbsExposure(Exposures owner, Object ownerOfConsumer, SharedMemory memory, int length, long remoteOffset) {
    this.owner = owner;
    this.ownerOfConsumer = ownerOfConsumer;
    this.memory = memory;
    this.length = length;
    this.remoteOffset = remoteOffset;
  }

  @Override
  public Object owner() {
    return ownerOfConsumer;
  }

  @Override
  public Optional<VerbsException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public int steeringTag() {
    return region == null ? 0 : region.remoteKey();
  }

  @Override
  public long remoteOffset() {
    return remoteOffset;
  }

  @Override
  public int length() {
    return length;
  }

  /** Whether the peer cannot reach it any more. */
  public boolean hasEnded() {
    return ended;
  }
}
