// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallProtector;
import java.util.List;

/** How the clients of a {@link World} prove who they are, and how its servers judge their calls. */
public interface WorldSecurity {

  /** Protection of the calls of a client. */
  interface Contexts extends CallProtector {

    /** A connection is up. */
    void resume();
  }

  /** Returns tasks of other threads: the world runs them in any order. */
  List<Runnable> work();

  /** Returns the contexts of a client, which calls as a user. */
  Contexts client(String user, WorldClient of);

  /** Returns the authenticator of a server. */
  Authenticator server();

  /** Fails unless a call is let in as one of a user. */
  void checkUser(IncomingCall call, String user);
}
