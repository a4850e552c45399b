package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/**
 * LEAVING, a message of this library's own: a server is about to go. Its client makes no new calls over the connection,
 * and ends it when those in flight have ended, so that none is lost that was on its way. Takes no credit.
 */
public final class LeavingTransmission implements Transmission {

  private final ConnectionSettings settings;

  /**
   * Creates it.
   *
   * @param settings of the connection, whose peer takes metadata
   */
  public LeavingTransmission(ConnectionSettings settings) {
    this.settings = settings;
  }

  @Override
  public int encode(ByteBuffer target) {
    RawHeader.write(target, 0, settings.creditsRequested(), RawHeader.LEAVING);
    return target.position();
  }
}
