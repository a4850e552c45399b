// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.GssVerifier;
import dev.rpcrdma.kerberos.gss.ProtectedBody;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import java.nio.ByteBuffer;
import java.util.List;

/** Judges calls that are protected by a context, and the replies to them (RFC 2203 §5.3). */
final class ProtectedMessages {

  private final SecurityContexts contexts;

  ProtectedMessages(SecurityContexts contexts) {
    this.contexts = contexts;
  }

  /** Whether the server has signed a number (RFC 2203 §5.3.3.2). */
  static boolean hasSigned(FollowedContext context, int number, OpaqueAuth verifier) {
    return verifier.flavor() == AuthFlavor.GSS && context.fromServer()
        .verifies(ByteBuffer.allocate(Integer.BYTES).putInt(0, number), verifier.body());
  }

  static Remark unopened(UnopenedContext context) {
    return new Remark("RPCSEC_GSS: " + context.name() + " is NOT OPENED: " + context.reason(), true);
  }

  /** The first call that names a context of which nothing was seen before. */
  List<Remark> firstOfUnopened(UnopenedContext context) {
    contexts.unjudged();
    return List.of(unopened(context));
  }

  /**
   * Tells whether a call may belong to a context that was made at another address. Servers choose handles without
   * knowing of each other, so that the client's signature decides, if there are keys to verify it.
   */
  boolean mayBeOf(KnownContext known, RpcMessage message, CallHeader head) {
    return !(known instanceof FollowedContext context) || hasSigned(context, message, head);
  }

  /** Tells whether the client has signed the head of a call: all up to its credential (RFC 2203 §5.3.1). */
  private static boolean hasSigned(FollowedContext context, RpcMessage message, CallHeader head) {
    ByteBuffer signed = message.bytes().slice(message.bytes().position(),
        CallHeader.FIXED_LENGTH + head.credential().encodedLength());
    return head.verifier().flavor() == AuthFlavor.GSS
        && context.fromClient().verifies(signed, head.verifier().body());
  }

  /**
   * A call.
   *
   * @param reader behind its head
   */
  List<Remark> call(RpcMessage message, CallHeader head, GssCredential credential, KnownContext known,
      XdrReader reader) {
    if (!(known instanceof FollowedContext context)) {
      return notJudged(known);
    }
    if (isOfChannel(credential)) {
      return notJudged(credential, context);
    }
    if (!hasSigned(context, message, head)) {
      return wrong(message, credential, "its verifier is not the MIC of its head");
    }
    if (credential.isExhausted()) {
      return wrong(message, credential, "no call may have its sequence number");
    }
    if (!context.window().take(credential.sequence())) {
      return wrong(message, credential, "its sequence number was there before, or is below the window of "
          + context.window().size());
    }
    contexts.verifiedCall(credential.service());
    return body(message, credential, context, context.fromClient(), true, reader.rest(), "head and number good");
  }

  /**
   * Returns the attempt that a reply answers: a client that sends a call again, with another sequence number, takes a
   * reply to any attempt (RFC 2203 §5.3.3.1). It is the last one if the verifier is of none.
   */
  OpenCall attempt(OpenCall last, OpaqueAuth verifier) {
    return last.earlier().isEmpty() || answers(last, verifier) ? last
        : last.earlier().stream().filter(each -> answers(each, verifier)).findFirst().orElse(last);
  }

  private static boolean answers(OpenCall call, OpaqueAuth verifier) {
    return call.context() instanceof FollowedContext context && !isOfChannel(call.credential())
        && hasSigned(context, call.credential().sequence(), verifier);
  }

  /**
   * A reply.
   *
   * @param reader behind its head
   */
  List<Remark> reply(RpcMessage message, ReplyHeader.Accepted head, OpenCall call, XdrReader reader) {
    if (!(call.context() instanceof FollowedContext context)) {
      return notJudged(call.context());
    }
    GssCredential credential = call.credential();
    if (isOfChannel(credential)) {
      return notJudged(credential, context);
    }
    if (!hasSigned(context, credential.sequence(), head.verifier())) {
      return wrong(message, credential, "its verifier is not the MIC of its call's sequence number");
    }
    if (head.status() != AcceptStatus.SUCCESS) {
      reader.end();
    }
    contexts.verifiedReply(credential.service());
    return body(message, credential, context, context.fromServer(), head.status() == AcceptStatus.SUCCESS,
        reader.rest(), "verifier good");
  }

  private List<Remark> body(RpcMessage message, GssCredential credential, FollowedContext context, GssVerifier tokens,
      boolean hasBody, ByteBuffer body, String before) {
    String text = "RPCSEC_GSS " + Counts.name(credential.service()) + ", " + context.name() + ", number "
        + Integer.toUnsignedString(credential.sequence())
        + (credential.procedure() == GssProcedure.DESTROY ? ", DESTROY" : "") + ": " + before;
    // Some send nothing with DESTROY and its reply (RFC 2203 §5.4), others a protected nothing.
    boolean mayBeEmpty = !hasBody || credential.procedure() == GssProcedure.DESTROY;
    if (credential.service() == GssService.NONE || mayBeEmpty && !body.hasRemaining()) {
      return List.of(Remark.of(text + ", body of " + (body.remaining() + message.apart()) + " bytes"));
    }
    if (message.apart() > 0) {
      return wrong(message, credential, "what is protected as a whole has left the message by chunks (R-332)");
    }
    try {
      int length = ProtectedBody.open(credential.service(), tokens, credential.sequence(), body).remaining();
      contexts.openedBody(credential.service());
      return List.of(Remark.of(text + ", body good, " + length + " bytes"));
    } catch (XdrException e) {
      return wrong(message, credential, "its body: " + e.getMessage());
    }
  }

  private List<Remark> wrong(RpcMessage message, GssCredential credential, String text) {
    return List.of(contexts.wrong(message, text + " (number " + Integer.toUnsignedString(credential.sequence())
        + ", " + Counts.name(credential.service()) + ")"));
  }

  /** What it is bound to is not in a capture, and nothing else proves such calls (RFC 5403 §3.3, §3.4). */
  static boolean isOfChannel(GssCredential credential) {
    return credential.procedure() == GssProcedure.BIND_CHANNEL || credential.service() == GssService.CHANNEL;
  }

  private List<Remark> notJudged(GssCredential credential, KnownContext context) {
    contexts.unjudged();
    return List.of(Remark.of("RPCSEC_GSS " + Counts.name(GssService.CHANNEL) + ", " + context.name() + ", number "
        + Integer.toUnsignedString(credential.sequence())
        + (credential.procedure() == GssProcedure.BIND_CHANNEL ? ", BIND_CHANNEL" : "")
        + ": not judged, what it is bound to is not here"));
  }

  private List<Remark> notJudged(KnownContext context) {
    contexts.unjudged();
    return List.of(Remark.of("RPCSEC_GSS: not judged, by " + context.name()));
  }
}
