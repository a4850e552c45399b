// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A mechanism of tests that believes every name.
 *
 * @param tokens how many tokens a client sends until a context stands
 * @param lifetime for how long it is good then
 */
public record ToyMechanism(int tokens, Optional<Duration> lifetime) {

  private static final AtomicInteger KEYS = new AtomicInteger();

  /** Begins contexts of a client. */
  public Supplier<GssHandshake> initiator(String name) {
    return () -> new GssHandshake() {
      private final String key = name + ":" + KEYS.incrementAndGet();
      private int sent;

      @Override
      public Step next(byte[] token) {
        if (sent == tokens) {
          return new Step(new byte[0], Optional.of(new Established(new ToyContext(key), "server", lifetime)));
        }
        sent++;
        return new Step(bytes(key), Optional.empty());
      }
    };
  }

  /** Begins contexts of a server. */
  public Supplier<GssHandshake> acceptor() {
    return () -> new GssHandshake() {
      private int taken;

      @Override
      public Step next(byte[] token) throws GssFailure {
        String key = new String(token, StandardCharsets.UTF_8);
        int colon = key.indexOf(':');
        if (colon < 0) {
          throw new GssFailure(9 << 16, 7, "A defective token");
        }
        return new Step(bytes("token"), ++taken < tokens ? Optional.empty()
            : Optional.of(new Established(new ToyContext(key), key.substring(0, colon), lifetime)));
      }
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
