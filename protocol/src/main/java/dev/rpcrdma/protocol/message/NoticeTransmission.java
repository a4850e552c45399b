// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/**
 * A message of this library's own that is its header alone, takes no credit and has no answer: {@link
 * RawHeader#GIVE_UP} and {@link RawHeader#LEAVING}.
 */
public final class NoticeTransmission implements Transmission {

  private final int xid;
  private final int procedure;
  private final ConnectionSettings settings;

  private NoticeTransmission(int xid, int procedure, ConnectionSettings settings) {
    this.xid = xid;
    this.procedure = procedure;
    this.settings = settings;
  }

  /**
   * Nobody waits for the reply to a call any more; the reply comes soon.
   *
   * @param xid of the call
   * @param settings of the connection, whose peer takes metadata
   * @return GIVE_UP
   */
  public static NoticeTransmission giveUp(int xid, ConnectionSettings settings) {
    return new NoticeTransmission(xid, RawHeader.GIVE_UP, settings);
  }

  /**
   * A server is about to go. Its client makes no new calls over the connection, and ends it when those in flight have
   * ended, so that none is lost that was on its way.
   *
   * @param settings of the connection, whose peer takes metadata
   * @return LEAVING
   */
  public static NoticeTransmission leaving(ConnectionSettings settings) {
    return new NoticeTransmission(0, RawHeader.LEAVING, settings);
  }

  @Override
  public int encode(ByteBuffer target) {
    RawHeader.write(target, xid, settings.creditsRequested(), procedure);
    return target.position();
  }
}
