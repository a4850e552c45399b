// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;

/** A call that wants protection. */
final class WaitingCall implements CallProtector.Listener {

  /** Null until it is there. */
  CallProtection protection;
  /** Null unless there is none. */
  String failure;

  @Override
  public void ready(CallProtection given) {
    protection = given;
  }

  @Override
  public void unavailable(String reason) {
    failure = reason;
  }

  /** The number that it is sent with. */
  int sequence() {
    ByteBuffer target = ByteBuffer.allocate(protection.lengthInCall());
    protection.writeInCall(target, 0);
    assertThat(target.hasRemaining()).isFalse();
    return GssCredential.from(OpaqueAuth.decode(new XdrReader(target.flip()))).sequence();
  }
}
