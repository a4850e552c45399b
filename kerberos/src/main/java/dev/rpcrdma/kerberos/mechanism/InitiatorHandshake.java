// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import java.util.Optional;
import javax.security.auth.Subject;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;

/** The end that calls. */
final class InitiatorHandshake implements GssHandshake {

  /** Whom to call; finding out may take long. */
  interface Peer {
    GSSName name() throws GSSException;
  }

  private final KerberosLogin login;
  private final Peer peer;
  private final boolean encrypts;
  /** Null before the first step. */
  private GSSContext context;
  /** Null before its name is known. */
  private String called;

  InitiatorHandshake(KerberosLogin login, Peer peer, boolean encrypts) {
    this.login = login;
    this.peer = peer;
    this.encrypts = encrypts;
  }

  @Override
  public Step next(byte[] token) throws GssFailure {
    try {
      return initiate(token);
    } catch (GssFailure e) {
      // The JDK does not always say so.
      throw called == null ? e : new GssFailure(e.major(), e.minor(), e.getMessage() + ", to call " + called);
    }
  }

  private Step initiate(byte[] token) throws GssFailure {
    return login.as(self -> {
      if (context == null) {
        context = begin();
      }
      byte[] answer = context.initSecContext(token, 0, token.length);
      return new Step(answer == null ? new byte[0] : answer,
          context.isEstablished() ? Optional.of(established(self)) : Optional.empty());
    });
  }

  private GSSContext begin() throws GSSException {
    GSSName name = peer.name();
    called = name.toString();
    GSSContext made = GSSManager.getInstance().createContext(name, Kerberos.MECHANISM, null,
        GSSContext.DEFAULT_LIFETIME);
    made.requestMutualAuth(true);
    made.requestInteg(true);
    made.requestConf(true);
    // Calls may overtake each other: their numbers are those of RPCSEC_GSS (RFC 2203 §5.3.3.1).
    made.requestReplayDet(false);
    made.requestSequenceDet(false);
    made.requestCredDeleg(false);
    return made;
  }

  private Established established(Subject self) throws GSSException {
    if (!context.getMutualAuthState() || !context.getIntegState() || encrypts && !context.getConfState()) {
      throw new GSSException(GSSException.UNAVAILABLE, 0, "the context does not protect what is to be protected");
    }
    return JgssContext.established(context, context.getTargName(),
        KerberosLogin.ticketTime(self, context.getTargName().toString()));
  }

  @Override
  public Optional<String> words(int minor) {
    return Statuses.words(minor);
  }

  @Override
  public void dispose() {
    JgssContext.dispose(context);
  }
}
