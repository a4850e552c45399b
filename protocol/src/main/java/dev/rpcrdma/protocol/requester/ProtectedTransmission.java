// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.Optional;

/**
 * What protects one transmission of a call: first its {@link CallProtection}, then, if they are protected as a whole,
 * the arguments. On the connection's thread, but for what it hears.
 */
final class ProtectedTransmission implements CallProtector.Listener {

  private final OutboundCall call;
  private final CallProtector protector;
  private final LoopPort port;
  private final LoopPort.Task<ProtectedTransmission, CallProtection> ready = ProtectedTransmission::protect;
  private final LoopPort.Task<ProtectedTransmission, String> failed = ProtectedTransmission::failed;
  private final LoopPort.Task<ProtectedTransmission, Optional<byte[]>> hidden = ProtectedTransmission::hidden;
  /** Null until it is there. */
  private CallProtection protection;
  private PayloadStream arguments;
  private boolean ended;

  ProtectedTransmission(OutboundCall call, CallProtector protector) {
    this.call = call;
    this.protector = protector;
    this.port = call.requester().port();
  }

  void begin() {
    protector.protection(call.requester().core().channel(), this);
  }

  @Override
  public void ready(CallProtection given) {
    port.run(ready, this, given);
  }

  @Override
  public void unavailable(String reason) {
    port.run(failed, this, reason);
  }

  private void protect(CallProtection given, long now) {
    protection = given;
    if (ended) {
      given.ended();
    } else if (given.bodies().isEmpty()) {
      arguments = call.call().arguments();
      call.secured(this);
    } else {
      given.bodies().get().protect(call.body(), body -> port.run(hidden, this, body));
    }
  }

  private void hidden(Optional<byte[]> body, long now) {
    if (body.isEmpty()) {
      failed("The arguments cannot be protected: the mechanism has failed, or its thread has ended", now);
    } else if (!ended) {
      arguments = PayloadStream.owning(body.get());
      call.secured(this);
    }
  }

  private void failed(String reason, long now) {
    call.notSecured(this, reason);
  }

  Credential credential() {
    return protection;
  }

  PayloadStream arguments() {
    return arguments;
  }

  Optional<BodyProtection> bodies() {
    return protection == null ? Optional.empty() : protection.bodies();
  }

  int verifierLength() {
    return protection.verifierLength();
  }

  boolean outdated(AuthStatus status) {
    return protection.outdated(status);
  }

  /** Nobody waits for its protection any more; tells what there was to wait for, if there was no agreement. */
  Optional<String> withdraw() {
    return protector.forget(this);
  }

  /**
   * Returns what ends this protection, and leads to nothing of the caller's: the call has been sent, or is about to be.
   */
  Runnable end() {
    CallProtection given = protection;
    ended = true;
    return given::ended;
  }

  /** Nobody waits for the reply to it. */
  void ended() {
    if (!ended) {
      ended = true;
      if (protection == null) {
        withdraw();
      } else {
        protection.ended();
      }
    }
  }
}
