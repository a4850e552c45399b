// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All objects with handles, and where they were seen last. An object keeps its handle when it is
 * renamed; a handle ends with its object, or when there are too many: then the one that was not
 * used for longest is forgotten, directories after all that is known in them. Thread-safe.
 */
final class NodeTable {

  /** So many names of one object are kept in mind; more hard links than that need a look-up. */
  private static final int MAX_PLACES = 16;

  private final int limit;
  private final Node root;
  /** Least recently used first. Without the root. */
  private final LinkedHashMap<Long, Node> byNumber = new LinkedHashMap<>(64, 0.75f, true);
  private final Map<Inode, Node> byInode = new HashMap<>();
  private long lastNumber;

  NodeTable(Stat root, int limit) {
    this.limit = limit;
    this.root = new Node(0, root.inode(), List.of());
    byInode.put(root.inode(), this.root);
  }

  Node root() {
    return root;
  }

  synchronized Optional<Node> find(long number) {
    return number == 0 ? Optional.of(root) : Optional.ofNullable(byNumber.get(number));
  }

  /** Whether an object has a handle. */
  synchronized boolean knows(Inode inode) {
    return byInode.containsKey(inode);
  }

  synchronized int size() {
    return byNumber.size();
  }

  /** An object was seen under a name. */
  synchronized Node seen(Node parent, String name, Stat stat) {
    Node node = byInode.get(stat.inode());
    if (node == root) {
      return root;
    }
    Node.Place place = new Node.Place(parent, name);
    if (node == null) {
      // Numbers are never used again: a handle of another object cannot become one of this.
      node = new Node(++lastNumber, stat.inode(), List.of());
      byNumber.put(node.number(), node);
      byInode.put(stat.inode(), node);
      place(node, List.of(place));
      shrink();
    } else {
      byNumber.get(node.number());
      if (node.places().isEmpty() || !node.places().get(0).equals(place)) {
        place(node, withFirst(node, place));
      }
    }
    return node;
  }

  /** A directory has one name, and all else may have several. */
  private static List<Node.Place> withFirst(Node node, Node.Place place) {
    if (node.inode().type() == FileType.DIRECTORY) {
      return List.of(place);
    }
    List<Node.Place> all = new ArrayList<>(node.places());
    all.remove(place);
    all.add(0, place);
    return List.copyOf(all.subList(0, Math.min(all.size(), MAX_PLACES)));
  }

  /** An object has lost a name. */
  synchronized void lost(Node parent, String name, Inode inode) {
    Node node = byInode.get(inode);
    if (node == null || node == root) {
      return;
    }
    List<Node.Place> left = new ArrayList<>(node.places());
    left.remove(new Node.Place(parent, name));
    if (left.isEmpty()) {
      forget(node);
    } else {
      place(node, List.copyOf(left));
    }
  }

  /** An object has got another name in place of one. */
  synchronized void moved(Node from, String oldName, Node to, String newName, Stat stat) {
    Node node = byInode.get(stat.inode());
    if (node != null && node != root) {
      seen(to, newName, stat);
      lost(from, oldName, stat.inode());
    }
  }

  private void forget(Node node) {
    place(node, List.of());
    byNumber.remove(node.number());
    byInode.remove(node.inode(), node);
  }

  private static void place(Node node, List<Node.Place> places) {
    places.forEach(place -> place.parent().count(1));
    node.places().forEach(place -> place.parent().count(-1));
    node.places(places);
  }

  private void shrink() {
    while (byNumber.size() > limit) {
      Iterator<Node> eldest = byNumber.values().iterator();
      Node node = eldest.next();
      if (node.entries() == 0) {
        forget(node);
      } else {
        // Used, in a way: by what is in it.
        byNumber.get(node.number());
      }
    }
  }
}
