// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.HostMemory;
import java.util.Optional;

/**
 * One exposure: a range, its rights, and how many outbound Read Responses still refer to it.
 * Confined to the event loop of its connection.
 */
public final class SiwExposure implements Exposure {

  /** How an exposure stands. */
  enum State {
    /** The peer may reach the memory. To REVOKING, or straight to ENDED by the peer's Send. */
    LIVE,
    /** The peer may not start anything new, but a Read Response is on its way out. To ENDED. */
    REVOKING,
    /** Nothing refers to the memory. */
    ENDED
  }

  private final ExposureTable table;
  private final Object owner;
  private final HostMemory memory;
  private final int offset;
  private final int length;
  private final Access access;
  private final int steeringTag;
  private final long remoteOffset;
  private final VerbsException failure;
  private State state;
  private int outbound;
  private int pendingAnswers;

  SiwExposure(ExposureTable table, Object owner, HostMemory memory, int offset, int length,
      Access access, int steeringTag, long remoteOffset) {
    this.table = table;
    this.owner = owner;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.access = access;
    this.steeringTag = steeringTag;
    this.remoteOffset = remoteOffset;
    this.failure = null;
    this.state = State.LIVE;
  }

  private SiwExposure(Object owner, int length, VerbsException failure) {
    this.table = null;
    this.owner = owner;
    this.memory = null;
    this.offset = 0;
    this.length = length;
    this.access = Access.REMOTE_READ;
    this.steeringTag = 0;
    this.remoteOffset = 0;
    this.failure = failure;
    this.state = State.ENDED;
  }

  /**
   * The answer to an exposure that was not made.
   *
   * @param owner whose it was to be
   * @param length wanted
   * @param failure why not
   * @return an exposure that has ended
   */
  public static SiwExposure failed(Object owner, int length, VerbsException failure) {
    return new SiwExposure(owner, length, failure);
  }

  /**
   * The exposed memory.
   *
   * @return the memory
   */
  public HostMemory memory() {
    return memory;
  }

  /**
   * Where an access falls.
   *
   * @param taggedOffset a checked offset of the peer
   * @return the index in {@link #memory()}
   */
  public int index(long taggedOffset) {
    return offset + (int) (taggedOffset - remoteOffset);
  }

  Access access() {
    return access;
  }

  /**
   * Whether nothing refers to the memory any more.
   *
   * @return true once revoked, invalidated or gone with its connection
   */
  public boolean hasEnded() {
    return state == State.ENDED;
  }

  State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  /** A Read Response that refers to this exposure is to be sent. */
  public void retain() {
    outbound++;
  }

  /** One Read Response less. */
  void release() {
    outbound--;
  }

  boolean busy() {
    return outbound > 0;
  }

  void expectAnswer() {
    pendingAnswers++;
  }

  int takeAnswers() {
    int pending = pendingAnswers;
    pendingAnswers = 0;
    return pending;
  }

  boolean belongsTo(ExposureTable table) {
    return this.table == table;
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
    return steeringTag;
  }

  @Override
  public long remoteOffset() {
    return remoteOffset;
  }

  @Override
  public int length() {
    return length;
  }
}
