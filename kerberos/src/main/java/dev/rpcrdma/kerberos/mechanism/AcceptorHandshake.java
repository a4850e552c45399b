// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.Optional;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;

/** The end that is called. */
final class AcceptorHandshake implements GssHandshake {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptorHandshake.class);

  private final KerberosLogin login;
  private final Duration longest;
  /** Null before the first step. */
  private GSSContext context;

  AcceptorHandshake(KerberosLogin login, Duration longest) {
    this.login = login;
    this.longest = longest;
  }

  @Override
  public Step next(byte[] token) throws GssFailure {
    try {
      return accept(token);
    } catch (GssFailure e) {
      // Whoever calls hears numbers alone.
      LOG.debug("A context of Kerberos is refused: " + e.getMessage());
      throw e;
    }
  }

  private Step accept(byte[] token) throws GssFailure {
    return login.as(self -> {
      if (context == null) {
        GSSManager manager = GSSManager.getInstance();
        context = manager.createContext(manager.createCredential(null, GSSCredential.INDEFINITE_LIFETIME,
            Kerberos.MECHANISM, GSSCredential.ACCEPT_ONLY));
      }
      byte[] answer = context.acceptSecContext(token, 0, token.length);
      return new Step(answer == null ? new byte[0] : answer,
          context.isEstablished() ? Optional.of(established()) : Optional.empty());
    });
  }

  private Established established() throws GSSException {
    if (!context.getIntegState()) {
      throw new GSSException(GSSException.UNAVAILABLE, 0, "the context signs nothing");
    }
    return JgssContext.established(context, context.getSrcName(), longest);
  }

  @Override
  public void dispose() {
    JgssContext.dispose(context);
  }
}
