// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.token.ContextKeys;
import dev.rpcrdma.kerberos.token.ContextRequest;
import dev.rpcrdma.kerberos.token.KerberosException;
import dev.rpcrdma.kerberos.token.NoKeyException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Opens the calls that make contexts, and what servers answer to them (RFC 2203 §5.2). */
final class ContextCreation {

  private final SecurityContexts contexts;

  ContextCreation(SecurityContexts contexts) {
    this.contexts = contexts;
  }

  /**
   * A call that makes a context.
   *
   * @param reader behind its head
   * @param open told of the call if it is well formed
   */
  List<Remark> call(RpcMessage message, GssCredential credential, XdrReader reader, Consumer<OpenCall> open) {
    byte[] token = reader.opaque(GssInitResult.MAX_TOKEN);
    reader.end();
    String name = "RPCSEC_GSS " + credential.procedure() + ": ";
    if (credential.procedure() == GssProcedure.CONTINUE_INIT) {
      open.accept(OpenCall.unopened(credential, "its mechanism takes more tokens than Kerberos"));
      return List.of(Remark.of(name + token.length + " bytes"));
    }
    try {
      ContextRequest request = ContextRequest.open(token, contexts.keytab());
      open.accept(OpenCall.making(credential, request));
      return List.of(Remark.of(name + request.client() + " calls " + request.service()));
    } catch (NoKeyException e) {
      open.accept(OpenCall.unopened(credential, e.getMessage()));
      return List.of(Remark.of(name + "not opened: " + e.getMessage()));
    } catch (KerberosException e) {
      open.accept(OpenCall.unopened(credential, "its INIT is wrong"));
      return List.of(contexts.wrong(message, "its token: " + e.getMessage()));
    }
  }

  /**
   * The answer to one.
   *
   * @param reader behind its head
   */
  List<Remark> reply(RpcMessage message, ReplyHeader.Accepted head, OpenCall call, XdrReader reader) {
    if (head.status() != AcceptStatus.SUCCESS) {
      contexts.refused();
      return List.of(Remark.of("RPCSEC_GSS: refused, of which there is no proof"));
    }
    GssInitResult result = GssInitResult.decode(reader);
    reader.end();
    if (!result.isGood()) {
      contexts.refused();
      return List.of(Remark.of("RPCSEC_GSS: no context, " + result));
    }
    if (result.major() == GssInitResult.CONTINUE_NEEDED) {
      return List.of(Remark.of("RPCSEC_GSS: another token is wanted"));
    }
    if (call.request() == null) {
      UnopenedContext context = contexts.unopened(message.sender(), result.handle(), call.reason());
      return List.of(ProtectedMessages.unopened(context));
    }
    return made(message, head, call.request(), result);
  }

  private List<Remark> made(RpcMessage message, ReplyHeader.Accepted head, ContextRequest request,
      GssInitResult result) {
    if (result.window() == 0) {
      contexts.unopened(message.sender(), result.handle(), "its window is zero");
      return List.of(contexts.wrong(message, "a window of zero"));
    }
    ContextKeys keys;
    try {
      keys = request.answered(result.token());
    } catch (KerberosException e) {
      contexts.unopened(message.sender(), result.handle(), "the answer to its INIT is wrong");
      return List.of(contexts.wrong(message, "its token: " + e.getMessage()));
    }
    FollowedContext context = new FollowedContext(contexts.nextNumber(), request, result, keys);
    contexts.opened(message.sender(), result.handle(), context);
    List<Remark> remarks = new ArrayList<>();
    remarks.add(Remark.of("RPCSEC_GSS: " + context.name() + ", window "
        + Integer.toUnsignedString(result.window()) + ", " + keys));
    // RFC 2203 §5.2.3.1: the server signs the window.
    if (!ProtectedMessages.hasSigned(context, result.window(), head.verifier())) {
      remarks.add(contexts.wrong(message, "its verifier is not the MIC of the window"));
    }
    return remarks;
  }
}
