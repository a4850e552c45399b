// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.time.Duration;
import java.util.Optional;

/**
 * One end of the making of a context, by a mechanism (RFC 2743: GSS_Init_sec_context, GSS_Accept_sec_context). One
 * thread at a time, any; it may block.
 */
public interface GssHandshake {

  /**
   * A context that stands.
   *
   * @param context signs and encrypts
   * @param peer the name of the other end, as the mechanism prints it
   * @param lifetime for how long it is good; empty without end
   */
  record Established(GssContext context, String peer, Optional<Duration> lifetime) {}

  /**
   * What follows from a token.
   *
   * @param token for the other end; empty if it needs none
   * @param established the context, if it stands
   */
  record Step(byte[] token, Optional<Established> established) {}

  /**
   * Takes a token.
   *
   * @param token of the other end; of no bytes for an initiator's first step
   * @return what follows
   * @throws GssFailure if no context can be made
   */
  Step next(byte[] token) throws GssFailure;

  /**
   * What a status of the other end says (RFC 2744 §5.11).
   *
   * @param minor the mechanism's status, as on the wire
   * @return words for people; empty if the mechanism has none
   */
  default Optional<String> words(int minor) {
    return Optional.empty();
  }

  /** Nobody goes on with it. */
  default void dispose() {}
}
