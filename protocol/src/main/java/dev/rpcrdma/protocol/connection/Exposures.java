package dev.rpcrdma.protocol.connection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranges of our memory that the peer can reach, and those on their way there and back. What is
 * still on its way there is not revoked: its owner waits for the outcome first.
 */
final class Exposures {

  /** Gets what becomes of one exposure. */
  interface Listener {

    /** The peer can reach the memory under this tag and address. */
    void exposed(int handle, long offset);

    /** It could not be exposed. */
    void exposeFailed(String reason);

    /** The peer cannot reach the memory any more: revoked, invalidated, or connection lost. */
    void ended();
  }

  /** One range. */
  static final class Exposed {

    private final long id;
    private final Listener listener;
    private int handle;
    private boolean usable;
    private boolean revoking;

    private Exposed(long id, Listener listener) {
      this.id = id;
      this.listener = listener;
    }
  }

  private final Fabric fabric;
  private final Map<Long, Exposed> alive = new HashMap<>();
  private long lastId;
  private boolean lost;
  private boolean ending;

  Exposures(Fabric fabric) {
    this.fabric = fabric;
  }

  /** Whether the connection is at its end, which {@code disconnected} will soon tell. */
  boolean ending() {
    return ending;
  }

  int count() {
    return alive.size();
  }

  Exposed expose(Region region, boolean remoteWrite, Listener listener) {
    Exposed exposed = new Exposed(++lastId, listener);
    if (lost) {
      listener.exposeFailed("the connection is lost");
      return exposed;
    }
    alive.put(exposed.id, exposed);
    fabric.expose(exposed.id, region, remoteWrite);
    return exposed;
  }

  /** Ends an exposure; its listener hears {@code ended}, at once if it has ended already. */
  void revoke(Exposed exposed) {
    if (!alive.containsKey(exposed.id)) {
      exposed.listener.ended();
    } else if (!exposed.revoking) {
      exposed.revoking = true;
      fabric.revoke(exposed.id);
    }
  }

  void exposed(long id, int handle, long offset) {
    Exposed exposed = alive.get(id);
    if (exposed == null) {
      return;
    }
    exposed.usable = true;
    exposed.handle = handle;
    exposed.listener.exposed(handle, offset);
  }

  void exposeFailed(long id, String reason, boolean connectionEnding) {
    ending |= connectionEnding;
    Exposed exposed = alive.remove(id);
    if (exposed != null) {
      exposed.listener.exposeFailed(reason);
    }
  }

  void revoked(long id) {
    Exposed exposed = alive.remove(id);
    if (exposed != null) {
      exposed.listener.ended();
    }
  }

  /**
   * The peer has invalidated a tag with its Send. Only an exposure of that call may be meant.
   *
   * @return false if this is not the exposure's tag
   */
  boolean invalidated(Exposed exposed, int handle) {
    if (!exposed.usable || exposed.handle != handle || !alive.containsKey(exposed.id)) {
      return false;
    }
    alive.remove(exposed.id);
    return true;
  }

  /** The connection is lost, and every exposure with it. */
  void abandon() {
    lost = true;
    List<Exposed> all = new ArrayList<>(alive.values());
    alive.clear();
    for (Exposed exposed : all) {
      if (exposed.usable) {
        exposed.listener.ended();
      } else {
        exposed.listener.exposeFailed("the connection is lost");
      }
    }
  }
}
