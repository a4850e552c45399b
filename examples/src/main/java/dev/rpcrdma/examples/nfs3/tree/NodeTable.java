// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All objects with handles, and where they were seen. An object keeps its handle when it is renamed, and as long as one
 * of the names is left by which clients have seen it. A handle ends with its object, or when there are too many: then
 * the one that was not used for longest is forgotten, directories after all that is known in them. Thread-safe.
 */
final class NodeTable {

  private final int limit;
  private final Node root;
  /** Least recently used first. Without the root. */
  private final LinkedHashMap<Long, Node> byNumber = new LinkedHashMap<>(64, 0.75f, true);
  private final Map<Inode, Node> byInode = new HashMap<>();
  /** Number of names of all objects beyond the first of each. */
  private int others;
  private long lastNumber;

  /**
   * Creates a table.
   *
   * @param limit most objects and names; an object with one name counts once, each further name once more
   */
  NodeTable(Stat root, int limit) {
    this.limit = limit;
    this.root = new Node(0, root.inode());
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

  /** Returns what counts against the limit. */
  synchronized int size() {
    return byNumber.size() + others;
  }

  /** Returns where an object was seen, the latest first. */
  synchronized List<Node.Place> places(Node node) {
    return node.places();
  }

  /** An object was seen under a name. */
  synchronized Node seen(Node parent, String name, Stat stat) {
    Node node = byInode.get(stat.inode());
    if (node == root) {
      return root;
    }
    if (node == null) {
      // Numbers are never used again: a handle of another object cannot become one of this.
      node = new Node(++lastNumber, stat.inode());
      byNumber.put(node.number(), node);
      byInode.put(stat.inode(), node);
    } else {
      byNumber.get(node.number());
    }
    add(node, new Node.Place(parent, name));
    shrink(node);
    return node;
  }

  /** An object is no more where it was seen last, but at another of its places. */
  synchronized void found(Node node, Node.Place place) {
    if (byNumber.get(node.number()) == node) {
      add(node, place);
    }
  }

  private void add(Node node, Node.Place place) {
    others -= node.others();
    node.add(place);
    others += node.others();
  }

  private void remove(Node node, Node.Place place) {
    others -= node.others();
    node.remove(place);
    others += node.others();
  }

  /**
   * An object has lost a name.
   *
   * @param before state of the object when it had the name
   */
  synchronized void lost(Node parent, String name, Stat before) {
    Node node = byInode.get(before.inode());
    if (node == null || node == root) {
      return;
    }
    remove(node, new Node.Place(parent, name));
    // A name that no client has used leads to the object as soon as one looks it up.
    boolean named = before.attributes().type() != FileType.DIRECTORY && before.attributes().links() > 1;
    if (node.latest() == null && !named) {
      forget(node);
    }
  }

  /** An object has got another name in place of one. */
  synchronized void moved(Node from, String oldName, Node to, String newName, Stat stat) {
    Node node = byInode.get(stat.inode());
    if (node != null && node != root) {
      seen(to, newName, stat);
      lost(from, oldName, stat);
    }
  }

  private void forget(Node node) {
    node.places().forEach(place -> remove(node, place));
    byNumber.remove(node.number());
    byInode.remove(node.inode(), node);
  }

  private void shrink(Node latest) {
    while (byNumber.size() + others > limit) {
      Node node = byNumber.values().iterator().next();
      if (node.entries() > 0) {
        // Used, in a way: by what is in it.
        byNumber.get(node.number());
      } else if (node == latest && node.others() > 0) {
        others--;
        node.removeOldest();
      } else {
        forget(node);
      }
    }
  }
}
