// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.contexts;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A call that was let in, until its reply is made; answered once.
 *
 * @param header its head
 * @param arguments at the first one
 * @param security protects the reply
 * @param then gets the reply, on any thread
 */
record AdmittedCall(CallHeader header, XdrReader arguments, CallSecurity security, Consumer<byte[]> then)
    implements ControlCall.Exchange {

  private static final byte[] NOTHING = {};

  @Override
  public void reply(XdrEncoder results) {
    XdrWriter writer = new XdrWriter();
    results.encode(writer);
    give(accepted(AcceptStatus.SUCCESS), writer.toByteArray());
  }

  @Override
  public void fail(AcceptStatus status) {
    give(accepted(status), NOTHING);
  }

  private ReplyHeader accepted(AcceptStatus status) {
    return new ReplyHeader.Accepted(header.xid(), status);
  }

  private void give(ReplyHeader head, byte[] results) {
    then.accept(ContextReply.of(head, security.verifier(), results));
  }

  /** Answers a call of a procedure that has neither arguments nor results, if it has just these. */
  void answer(ReplyHeader answer) {
    Optional<BodyProtection> bodies = security.bodies();
    if (!isSuccess(answer) || bodies.isEmpty()) {
      give(answer, NOTHING);
      return;
    }
    bodies.get().open(arguments.rest(), body -> {
      if (body.filter(plain -> !plain.hasRemaining()).isEmpty()) {
        fail(AcceptStatus.GARBAGE_ARGS);
      } else {
        bodies.get().protect(ByteBuffer.allocate(0), sealed -> {
          if (sealed.isEmpty()) {
            fail(AcceptStatus.SYSTEM_ERR);
          } else {
            give(answer, sealed.get());
          }
        });
      }
    });
  }

  private static boolean isSuccess(ReplyHeader answer) {
    return answer instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SUCCESS;
  }
}
