// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a consumer wants of a listener.
 *
 * @param tls gives what connections are secured by, asked for each that comes in, on any thread, and answered at once;
 *     empty for plaintext. A device without TLS refuses it; one with TLS lets nobody in who comes in plaintext
 */
public record ListenOptions(Optional<Supplier<ServerTls>> tls) {

  /** No TLS. */
  public static final ListenOptions DEFAULT = new ListenOptions(Optional.empty());

  /** Checks that nothing is null. */
  public ListenOptions {
    Objects.requireNonNull(tls, "tls");
  }

  /**
   * These options with TLS.
   *
   * @param source gives what a new connection is secured by
   * @return a copy
   */
  public ListenOptions withTls(Supplier<ServerTls> source) {
    return new ListenOptions(Optional.of(source));
  }
}
