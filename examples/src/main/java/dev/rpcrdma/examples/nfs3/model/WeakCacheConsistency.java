// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.Optional;

/**
 * What an object was before and after a change (RFC 1813 §2.6, wcc_data), so that a client knows
 * whether the change was all that has happened.
 *
 * @param before if known for certain
 * @param after if known
 */
public record WeakCacheConsistency(Optional<Attributes> before, Optional<Attributes> after) {

  /** Nothing is known. */
  public static final WeakCacheConsistency NONE =
      new WeakCacheConsistency(Optional.empty(), Optional.empty());

  /** The longest form on the wire: two flags, 24 bytes of one, all of the other. */
  public static final int MAX_LENGTH = 4 + 24 + 4 + Attributes.LENGTH;

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.bool(before.isPresent());
    before.ifPresent(known -> {
      writer.int64(known.size());
      NfsTime.encode(known.modified(), writer);
      NfsTime.encode(known.changed(), writer);
    });
    Attributes.encode(after, writer);
  }
}
