// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.table.PlaceList;

/**
 * A range of memory that the peer can reach, or that is on its way there or back. It is the token by which the
 * embedder is told to end the exposure, and whom the embedder tells what has become of it.
 *
 * <pre>
 *   ASKED ──ready──▶ USABLE ──revoke──▶ REVOKING ──revoked──▶ ENDED
 *     └──failed──▶ ENDED ◀──invalidated, connection lost──┘
 * </pre>
 */
public final class ExposedRegion implements PlaceList.Entry {

  private enum State { ASKED, USABLE, REVOKING, ENDED }

  /** Gets what becomes of one exposure. */
  public interface Listener {

    /** The peer can reach the memory under this tag and address. */
    void exposed(int handle, long offset);

    /** It could not be exposed. */
    void exposeFailed(String reason);

    /** The peer cannot reach the memory any more: revoked, invalidated, or connection lost. */
    void ended();
  }

  private final Exposures all;
  private final Listener listener;
  private State state = State.ASKED;
  /** Whether it has been usable. */
  private boolean usable;
  private int handle;
  private Object device;
  /** In the list of all. */
  private int place = PlaceList.NOWHERE;

  ExposedRegion(Exposures all, Listener listener) {
    this.all = all;
    this.listener = listener;
  }

  /**
   * What the embedder keeps with it.
   *
   * @return as given by the last {@link #device(Object)}; null before
   */
  public Object device() {
    return device;
  }

  /**
   * Keeps something for the embedder, such as the device's own token.
   *
   * @param value what to keep
   */
  public void device(Object value) {
    device = value;
  }

  /**
   * The peer can reach the memory.
   *
   * @param steeringTag under this tag
   * @param offset at this address
   */
  public void ready(int steeringTag, long offset) {
    if (state == State.ASKED) {
      state = State.USABLE;
      usable = true;
      handle = steeringTag;
      listener.exposed(steeringTag, offset);
    }
  }

  /**
   * The memory could not be exposed.
   *
   * @param reason for people
   * @param ending true if it is the connection that is at its end, and no memory could be exposed
   */
  public void failed(String reason, boolean ending) {
    if (state == State.ASKED) {
      if (ending) {
        all.connectionEnds();
      }
      end();
      listener.exposeFailed(reason);
    }
  }

  /** What {@link Fabric#revoke} has asked for is done. */
  public void revoked() {
    if (state == State.REVOKING) {
      end();
      listener.ended();
    }
  }

  /** Ends the exposure; its listener hears {@code ended}, at once if it has ended already. */
  public void revoke() {
    switch (state) {
      case USABLE -> {
        state = State.REVOKING;
        all.fabric().revoke(this);
      }
      case ENDED -> listener.ended();
      case REVOKING -> { }
      default -> throw new IllegalStateException("Revoked before it is known whether it is exposed");
    }
  }

  /**
   * The peer has invalidated a tag with its Send. Only an exposure of that call may be meant.
   *
   * @return false if this is not the exposure's tag
   */
  public boolean invalidated(int steeringTag) {
    if (!usable || state == State.ENDED || handle != steeringTag) {
      return false;
    }
    end();
    return true;
  }

  /** The connection is lost; nobody has heard yet. */
  void lose() {
    state = State.ENDED;
  }

  /** Tells so. */
  void tellLost() {
    if (usable) {
      listener.ended();
    } else {
      listener.exposeFailed("the connection is lost");
    }
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public void place(int value) {
    place = value;
  }

  private void end() {
    state = State.ENDED;
    all.remove(this);
  }
}
