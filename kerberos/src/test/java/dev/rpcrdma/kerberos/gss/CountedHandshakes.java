// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Knows which handshakes have neither made their context nor been disposed of, and hold what a mechanism needs. */
final class CountedHandshakes {

  private final Set<GssHandshake> open = new HashSet<>();

  int open() {
    return open.size();
  }

  GssHandshake begin(Supplier<GssHandshake> mechanism) {
    GssHandshake handshake = mechanism.get();
    GssHandshake counted = new GssHandshake() {
      @Override
      public Step next(byte[] token) throws GssFailure {
        Step step = handshake.next(token);
        if (step.established().isPresent()) {
          open.remove(this);
        }
        return step;
      }

      @Override
      public Optional<String> words(int minor) {
        return handshake.words(minor);
      }

      @Override
      public void dispose() {
        open.remove(this);
        handshake.dispose();
      }
    };
    open.add(counted);
    return counted;
  }
}
