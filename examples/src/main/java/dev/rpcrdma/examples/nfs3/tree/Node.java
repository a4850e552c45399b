// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.util.List;

/** An object that clients have a handle of. Compared by identity. */
public final class Node {

  /** A name of it in a directory. */
  record Place(Node parent, String name) {}

  private final long number;
  private final Object key;
  private final FileType type;
  /** Where it was seen, latest first; empty when it is gone. Changed by {@link NodeTable} alone. */
  private volatile List<Place> places;
  /** How many places are in it. Belongs to {@link NodeTable}. */
  private int entries;

  Node(long number, Object key, FileType type, List<Place> places) {
    this.number = number;
    this.key = key;
    this.type = type;
    this.places = places;
  }

  long number() {
    return number;
  }

  Object key() {
    return key;
  }

  FileType type() {
    return type;
  }

  List<Place> places() {
    return places;
  }

  void places(List<Place> value) {
    places = value;
  }

  int entries() {
    return entries;
  }

  void count(int change) {
    entries += change;
  }

  @Override
  public String toString() {
    return "object " + number + " " + (places.isEmpty() ? "" : places.get(0).name());
  }
}
