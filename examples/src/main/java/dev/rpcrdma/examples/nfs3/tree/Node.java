// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An object that clients have a handle of. Compared by identity. Its places are changed by {@link NodeTable} alone,
 * which guards them.
 */
public final class Node {

  /** A name of it in a directory. */
  record Place(Node parent, String name) {}

  private final long number;
  private final Inode inode;
  /** Place where the object was seen last, or another one if that is lost; null if none is known. */
  private volatile Place latest;
  /** All other places, the oldest first. A set of its own only where there are any: most objects have one name. */
  private Set<Place> others = Collections.emptySet();
  /** Number of places that are in this directory. */
  private int entries;

  Node(long number, Inode inode) {
    this.number = number;
    this.inode = inode;
  }

  long number() {
    return number;
  }

  Inode inode() {
    return inode;
  }

  Place latest() {
    return latest;
  }

  /** Returns a copy of all places, the latest first. */
  List<Place> places() {
    List<Place> all = new ArrayList<>(others);
    if (latest != null) {
      all.add(latest);
    }
    Collections.reverse(all);
    return all;
  }

  /** Returns the number of places besides the latest. */
  int others() {
    return others.size();
  }

  int entries() {
    return entries;
  }

  /** Makes a place the latest. */
  void add(Place place) {
    if (place.equals(latest)) {
      return;
    }
    if (latest != null && inode.type() == FileType.DIRECTORY) {
      // A directory has one name, and all else may have several.
      remove(latest);
    }
    if (!others.remove(place)) {
      place.parent().entries++;
    }
    if (latest != null) {
      if (others.isEmpty()) {
        others = new LinkedHashSet<>();
      }
      others.add(latest);
    }
    latest = place;
  }

  /** Removes a place, if it is one. */
  void remove(Place place) {
    if (place.equals(latest)) {
      // Any other will do: only the first of a set is found at once.
      latest = others.isEmpty() ? null : others.iterator().next();
      others.remove(latest);
    } else if (!others.remove(place)) {
      return;
    }
    place.parent().entries--;
  }

  /** Removes the place that was seen least recently; there are others. */
  void removeOldest() {
    remove(others.iterator().next());
  }

  @Override
  public String toString() {
    Place place = latest;
    return "object " + number + " " + (place == null ? "" : place.name());
  }
}
