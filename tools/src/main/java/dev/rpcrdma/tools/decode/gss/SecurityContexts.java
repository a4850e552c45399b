// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.token.Keytab;
import dev.rpcrdma.tools.decode.message.OpenCalls;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import java.net.InetAddress;
import java.util.function.Predicate;

/** All contexts of a capture, and what was found out about the messages that they protect. */
public final class SecurityContexts {

  private final Keytab keytab;
  private final KnownContexts table = new KnownContexts();
  private final Counts calls = new Counts();
  private final Counts replies = new Counts();
  private final Counts bodies = new Counts();
  private final Problems wrong = new Problems();
  private final Problems unfollowed = new Problems();
  private final OpenCalls<OpenCall> openCalls = new OpenCalls<>();
  private final OpenCalls<Boolean> plainCalls = new OpenCalls<>();
  private int opened;
  private int unopened;
  private int refused;
  private int unjudged;

  /**
   * Begins with none.
   *
   * @param keytab opens tickets
   */
  public SecurityContexts(Keytab keytab) {
    this.keytab = keytab;
  }

  /**
   * Begins with a connection.
   *
   * @return what to give the connection's messages to
   */
  public GssConversation conversation() {
    return new GssConversation(this);
  }

  /**
   * What is wrong.
   *
   * @return the wrong messages, each with the number of its frame
   */
  public Problems wrong() {
    return wrong;
  }

  /**
   * Returns what could not be followed since there was more than is kept at a time: what is wrong there is not seen.
   *
   * @return the messages, each with the number of its frame
   */
  public Problems unfollowed() {
    return unfollowed;
  }

  /**
   * Adds messages that were not put together, so that they cannot be judged.
   *
   * @param messages how many
   */
  public void forgotten(int messages) {
    unjudged += messages;
  }

  /**
   * Whether all that was there could be judged.
   *
   * @return false if a context was not opened, a reply has no call, or a message is of a type that is not known
   */
  public boolean isComplete() {
    return unopened == 0 && unjudged == 0;
  }

  /**
   * What was found.
   *
   * @return a line
   */
  public String summary() {
    return "RPCSEC_GSS: " + opened + " contexts opened, " + unopened + " not; verified " + calls.of("calls") + " and "
        + replies.of("replies") + ", opened " + bodies.of("bodies") + "; " + refused + " refused, " + unjudged
        + " not judged, " + wrong.count() + " wrong";
  }

  OpenCalls<OpenCall> openCalls() {
    return openCalls;
  }

  /** Calls without protection that have no reply yet. */
  OpenCalls<Boolean> plainCalls() {
    return plainCalls;
  }

  Keytab keytab() {
    return keytab;
  }

  int nextNumber() {
    return opened + unopened + 1;
  }

  void opened(InetAddress server, byte[] handle, FollowedContext context) {
    opened++;
    table.put(server, handle, context);
  }

  UnopenedContext unopened(InetAddress server, byte[] handle, String reason) {
    UnopenedContext context = new UnopenedContext(KnownContext.name(nextNumber(), handle), reason);
    unopened++;
    table.put(server, handle, context);
    return context;
  }

  KnownContext find(InetAddress server, byte[] handle, Predicate<KnownContext> isOf) {
    return table.find(server, handle, isOf);
  }

  boolean hasForgotten() {
    return table.hasForgotten();
  }

  void verifiedCall(GssService service) {
    calls.add(service);
  }

  void verifiedReply(GssService service) {
    replies.add(service);
  }

  void openedBody(GssService service) {
    bodies.add(service);
  }

  void refused() {
    refused++;
  }

  void unjudged() {
    unjudged++;
  }

  /**
   * Counts a message that is wrong.
   *
   * @param message the message
   * @param text what is wrong with it
   * @return what there is to say of it
   */
  public Remark wrong(RpcMessage message, String text) {
    wrong.add(where(message) + text);
    return new Remark("WRONG: " + text, true);
  }

  /**
   * Counts a message that is not judged.
   *
   * @param why the reason: "as ..."
   * @return what there is to say of it
   */
  public Remark unjudged(String why) {
    unjudged();
    return Remark.of("not judged, " + why);
  }

  /**
   * Counts a connection that is not judged any further, since it goes on encrypted.
   *
   * @return what there is to say of the reply that begins this
   */
  public Remark encrypted() {
    unjudged();
    return new Remark("NOT JUDGED: what follows is encrypted by TLS (RFC 9289)", true);
  }

  /**
   * Counts a connection that is not judged, since nothing tells where its messages begin.
   *
   * @return what there is to say of its first answer
   */
  public Remark beginsWithinReply() {
    unjudged();
    return new Remark("NOT JUDGED: the connection was open before the capture, which begins within a reply", true);
  }

  Remark unfollowed(RpcMessage message, String text) {
    unfollowed.add(where(message) + text);
    return new Remark("NOT FOLLOWED: " + text, true);
  }

  private static String where(RpcMessage message) {
    return "stream " + message.conversation().number() + ", frame " + message.frame()
        + (message.announced() == message.frame() ? "" : ", announced by frame " + message.announced()) + ": ";
  }
}
