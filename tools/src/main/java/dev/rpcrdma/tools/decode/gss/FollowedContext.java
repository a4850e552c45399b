// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.SequenceWindow;
import dev.rpcrdma.kerberos.token.ContextKeys;
import dev.rpcrdma.kerberos.token.ContextRequest;
import dev.rpcrdma.kerberos.token.SentTokens;

/** A context of the capture that there are keys of. */
final class FollowedContext implements KnownContext {

  /** Nobody has more calls on their way; what a capture says decides over no memory. */
  private static final int LARGEST_WINDOW = 1 << 16;

  private final String name;
  private final SentTokens fromClient;
  private final SentTokens fromServer;
  private final SequenceWindow window;

  /**
   * Creates it.
   *
   * @param number from 1
   * @param request who has made it
   * @param result the server's answer, whose window is not zero
   * @param keys of both ends
   */
  FollowedContext(int number, ContextRequest request, GssInitResult result, ContextKeys keys) {
    this.name = KnownContext.name(number, result.handle()) + " of " + request.client();
    this.fromClient = keys.fromClient();
    this.fromServer = keys.fromServer();
    this.window = new SequenceWindow((int) Math.min(LARGEST_WINDOW, Integer.toUnsignedLong(result.window())));
  }

  @Override
  public String name() {
    return name;
  }

  SentTokens fromClient() {
    return fromClient;
  }

  SentTokens fromServer() {
    return fromServer;
  }

  SequenceWindow window() {
    return window;
  }
}
