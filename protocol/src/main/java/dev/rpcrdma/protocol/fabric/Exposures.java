// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.table.PlaceList;
import java.util.List;

/**
 * The ranges of our memory that the peer can reach, and those on their way there and back. What is
 * still on its way there is not revoked: its owner waits for the outcome first.
 */
public final class Exposures {

  private final Fabric fabric;
  private final PlaceList<ExposedRegion> alive = new PlaceList<>();
  private boolean lost;
  private boolean ending;

  public Exposures(Fabric fabric) {
    this.fabric = fabric;
  }

  Fabric fabric() {
    return fabric;
  }

  /** Whether the connection is at its end, which {@code disconnected} will soon tell. */
  public boolean ending() {
    return ending;
  }

  void connectionEnds() {
    ending = true;
  }

  public int count() {
    return alive.size();
  }

  public ExposedRegion expose(Region region, boolean remoteWrite, ExposedRegion.Listener listener) {
    ExposedRegion exposure = new ExposedRegion(this, listener);
    if (lost) {
      exposure.lose();
      exposure.tellLost();
      return exposure;
    }
    alive.add(exposure);
    fabric.expose(exposure, region, remoteWrite);
    return exposure;
  }

  void remove(ExposedRegion exposure) {
    alive.remove(exposure);
  }

  /** The connection is lost, and every exposure with it. */
  public void abandon() {
    lost = true;
    List<ExposedRegion> all = alive.all();
    all.forEach(alive::remove);
    // All first: who hears of one may revoke another.
    all.forEach(ExposedRegion::lose);
    all.forEach(ExposedRegion::tellLost);
  }
}
