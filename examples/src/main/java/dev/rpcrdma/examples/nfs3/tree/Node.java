// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import java.util.List;

/** An object that clients have a handle of. Compared by identity. */
public final class Node {

  /** A name of it in a directory. */
  record Place(Node parent, String name) {}

  private final long number;
  private final Inode inode;
  /** Where it was seen, latest first; empty when it is gone. Changed by {@link NodeTable} alone. */
  private volatile List<Place> places;
  /** How many places are in it. Belongs to {@link NodeTable}. */
  private int entries;

  Node(long number, Inode inode, List<Place> places) {
    this.number = number;
    this.inode = inode;
    this.places = places;
  }

  long number() {
    return number;
  }

  Inode inode() {
    return inode;
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
