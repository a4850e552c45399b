package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/**
 * GIVE_UP, a message of this library's own: nobody waits for the reply to a call any more. Takes no credit; the reply,
 * which comes soon, is all the answer.
 */
public final class GiveUpTransmission implements Transmission {

  private final int xid;
  private final ConnectionSettings settings;

  /**
   * Creates it.
   *
   * @param xid of the call
   * @param settings of the connection, whose peer takes metadata
   */
  public GiveUpTransmission(int xid, ConnectionSettings settings) {
    this.xid = xid;
    this.settings = settings;
  }

  @Override
  public int encode(ByteBuffer target) {
    RawHeader.write(target, xid, settings.creditsRequested(), RawHeader.GIVE_UP);
    return target.position();
  }
}
