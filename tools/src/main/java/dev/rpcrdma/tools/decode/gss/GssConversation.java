// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import java.util.ArrayList;
import java.util.List;

/** RPCSEC_GSS of one connection: finds the call of each reply, and has both judged. */
public final class GssConversation {

  private final SecurityContexts contexts;
  private final ContextCreation creation;
  private final ProtectedMessages messages;

  GssConversation(SecurityContexts contexts) {
    this.contexts = contexts;
    this.creation = new ContextCreation(contexts);
    this.messages = new ProtectedMessages(contexts);
  }

  /**
   * Takes a message.
   *
   * @param message the next one of the connection
   * @return what there is to say; nothing if it has nothing to do with RPCSEC_GSS
   */
  public List<Remark> take(RpcMessage message) {
    try {
      XdrReader reader = new XdrReader(message.bytes());
      boolean call = message.bytes().remaining() >= RpcMessage.LEAST_LENGTH
          && message.bytes().getInt(message.bytes().position() + Integer.BYTES) == OncRpc.CALL;
      return call ? call(message, reader) : reply(message, reader);
    } catch (XdrException e) {
      return List.of(contexts.wrong(message, "it is malformed: " + e.getMessage()));
    }
  }

  private List<Remark> call(RpcMessage message, XdrReader reader) {
    CallHeader head = CallHeader.decode(reader);
    OpenCall before = contexts.openCalls().remove(message.conversation(), message.fromOpener(), head.xid());
    if (head.rpcVersion() != OncRpc.RPC_VERSION) {
      // The credential of such a call is not read; protected calls have version 2.
      return List.of(contexts.wrong(message, "it is of RPC version " + Integer.toUnsignedString(head.rpcVersion())));
    }
    if (head.credential().flavor() != AuthFlavor.GSS) {
      contexts.plainCalls().add(message.conversation(), message.fromOpener(), head.xid(), true);
      return head.verifier().flavor() != AuthFlavor.GSS ? List.of()
          : List.of(contexts.wrong(message, "it has a verifier of RPCSEC_GSS, and another credential"));
    }
    contexts.plainCalls().remove(message.conversation(), message.fromOpener(), head.xid());
    GssCredential credential = GssCredential.from(head.credential());
    if (credential.procedure().isCreation()) {
      return creation.call(message, credential, reader, call -> open(message, head, call, before));
    }
    KnownContext context = contexts.find(message.receiver(), credential.handle(),
        elsewhere -> messages.mayBeOf(elsewhere, message, head));
    if (context == null) {
      return unknown(message, head, credential, before);
    }
    open(message, head, OpenCall.of(credential, context), before);
    return messages.call(message, head, credential, context, reader);
  }

  /** A call that names a context of which nothing is known here. */
  private List<Remark> unknown(RpcMessage message, CallHeader head, GssCredential credential, OpenCall before) {
    // Such a call proves nothing, and does not tell whose context it is.
    boolean ofChannel = ProtectedMessages.isOfChannel(credential);
    String reason = "its INIT is not in the capture" + (ofChannel ? ", or was sent to another address" : "")
        + (contexts.hasForgotten() ? ", or was forgotten" : "");
    UnopenedContext context = contexts.unopened(message.receiver(), credential.handle(), reason);
    open(message, head, OpenCall.of(credential, context), before);
    List<Remark> remarks = new ArrayList<>(messages.firstOfUnopened(context));
    if (contexts.hasForgotten()) {
      remarks.add(contexts.unfollowed(message, "its context may be one that was forgotten, as there were too many"));
    }
    return remarks;
  }

  private void open(RpcMessage message, CallHeader head, OpenCall call, OpenCall before) {
    contexts.openCalls().add(message.conversation(), message.fromOpener(), head.xid(), call.after(before));
  }

  private List<Remark> reply(RpcMessage message, XdrReader reader) {
    ReplyHeader head = ReplyHeader.decode(reader);
    OpenCall call = contexts.openCalls().remove(message.conversation(), !message.fromOpener(), head.xid());
    boolean plain = contexts.plainCalls().remove(message.conversation(), !message.fromOpener(), head.xid()) != null;
    if (plain) {
      return head.verifier().flavor() != AuthFlavor.GSS ? List.of()
          : List.of(contexts.wrong(message, "it has a verifier of RPCSEC_GSS, and its call has another credential"));
    }
    if (call == null && contexts.openCalls().hasForgotten(message.conversation())) {
      contexts.unjudged();
      return List.of(contexts.unfollowed(message, "its call may be one that was forgotten, as too many had no reply"));
    }
    if (call == null) {
      if (head.verifier().flavor() != AuthFlavor.GSS) {
        return List.of();
      }
      contexts.unjudged();
      return List.of(Remark.of("RPCSEC_GSS: not judged, as its call is not in the capture"));
    }
    if (!(head instanceof ReplyHeader.Accepted accepted)) {
      contexts.refused();
      return List.of(Remark.of("RPCSEC_GSS: refused, of which there is no proof"));
    }
    return call.credential().procedure().isCreation() ? creation.reply(message, accepted, call, reader)
        : messages.reply(message, accepted, messages.attempt(call, accepted.verifier()), reader);
  }
}
