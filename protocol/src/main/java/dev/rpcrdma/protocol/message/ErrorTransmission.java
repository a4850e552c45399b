// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/** The Send of an RDMA_ERROR (RFC 8166 §4.5), always a plain one. */
public final class ErrorTransmission implements Transmission {

  private final ConnectionCore core;
  private final int xid;
  private final int version;
  private final Fault.Answer answer;

  public ErrorTransmission(ConnectionCore core, int xid, int version, Fault fault) {
    this.core = core;
    this.xid = xid;
    this.version = version;
    this.answer = fault.answer();
  }

  @Override
  public int encode(ByteBuffer target) {
    int credits = core.settings().creditsGranted();
    if (answer == Fault.Answer.ERR_VERS) {
      RawHeader.writeErrVers(target, xid, version, credits);
    } else {
      RawHeader.writeErrChunk(target, xid, credits);
    }
    return target.position();
  }
}
