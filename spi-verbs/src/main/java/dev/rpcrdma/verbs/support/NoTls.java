// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import java.util.Optional;

/** Refuses TLS for who has none: plaintext in its place would go unnoticed. */
public final class NoTls {

  private NoTls() {}

  /**
   * Looks whether there is to be TLS.
   *
   * @param provider whose device has none
   * @param wanted present if there is to be TLS
   * @throws VerbsException of kind UNSUPPORTED if it is
   */
  public static void check(String provider, Optional<?> wanted) {
    if (wanted.isPresent()) {
      throw refusal(provider);
    }
  }

  /**
   * Says that there is no TLS.
   *
   * @param provider whose device has none
   * @return of kind UNSUPPORTED, with the remedy
   */
  public static VerbsException refusal(String provider) {
    return new VerbsException(VerbsException.Kind.UNSUPPORTED, "The provider '" + provider + "' has no TLS, which the"
        + " option 'tls' asks for, and plaintext does not take its place. Use a provider that has it, such as 'siw', or"
        + " leave 'tls' out if the network itself is to be trusted");
  }
}
