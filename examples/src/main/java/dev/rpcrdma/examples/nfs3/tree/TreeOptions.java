// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

/**
 * How a tree is served.
 *
 * @param readOnly whether nothing may be changed
 * @param durable whether a change of names or attributes is on the disk before it is answered, as
 *     RFC 1813 §4.7 wants it. Data is in any case where the caller wants it
 * @param maxHandles most objects with handles at a time, at least {@link #LEAST_HANDLES}; each further name by which
 *     clients have seen an object counts like another object
 */
public record TreeOptions(boolean readOnly, boolean durable, int maxHandles) {

  /** More than the depth of any tree. */
  public static final int LEAST_HANDLES = 4096;

  /** A million handles; about 310 MB of heap if all are in use, by objects with one name. */
  public static final TreeOptions DEFAULT = new TreeOptions(false, true, 1 << 20);

  /** Checks the range. */
  public TreeOptions {
    if (maxHandles < LEAST_HANDLES) {
      throw new IllegalArgumentException("There must be room for at least " + LEAST_HANDLES
          + " handles, not " + maxHandles);
    }
  }
}
