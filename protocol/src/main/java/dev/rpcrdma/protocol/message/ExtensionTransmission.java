// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/** The Send of a message of an OPTIONAL header type, or of its answer. */
public class ExtensionTransmission implements Transmission {

  private final int xid;
  private final int credits;
  private final int procedure;
  private final byte[] body;

  public ExtensionTransmission(int xid, int credits, int procedure, byte[] body) {
    this.xid = xid;
    this.credits = credits;
    this.procedure = procedure;
    this.body = body;
  }

  /** Whether the message is no longer than the peer's Receives. */
  public static boolean fits(byte[] body, ConnectionSettings settings) {
    return body.length <= settings.outboundExtension();
  }

  @Override
  public int encode(ByteBuffer target) {
    RawHeader.write(target, xid, credits, procedure);
    target.put(body);
    return target.position();
  }
}
