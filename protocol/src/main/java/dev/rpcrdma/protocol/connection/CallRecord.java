package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.xdr.PayloadStream;

/** Remembers the outcome of one call of the peer, beyond the connection that it came over. */
public interface CallRecord {

  /**
   * The call is answered; also if the connection that it came over is lost by now. Told once, before
   * the reply is planned for any connection.
   *
   * @param reply head and results; whoever keeps it keeps a copy
   */
  void replied(PayloadStream reply);
}
