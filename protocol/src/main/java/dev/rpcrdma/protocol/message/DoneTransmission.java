// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** RDMA_DONE: the requester needs a reply's Read chunk no more. Nothing answers it. */
public final class DoneTransmission implements Transmission {

  private final int xid;
  private final ConnectionSettings settings;
  private final OptionalInt handle;

  /**
   * Creates it.
   *
   * @param xid of the reply
   * @param settings of the connection
   * @param handle a tag of the reply's; empty if none is known
   */
  public DoneTransmission(int xid, ConnectionSettings settings, OptionalInt handle) {
    this.xid = xid;
    this.settings = settings;
    this.handle = handle;
  }

  @Override
  public int encode(ByteBuffer target) {
    RawHeader.write(target, xid, settings.creditsRequested(), RawHeader.RDMA_DONE);
    return target.position();
  }

  /** one of the reply's tags, if both ends have shown that they take remote invalidation. */
  @Override
  public OptionalInt invalidate() {
    return settings.largeReplies().doneInvalidates() ? handle : OptionalInt.empty();
  }
}
