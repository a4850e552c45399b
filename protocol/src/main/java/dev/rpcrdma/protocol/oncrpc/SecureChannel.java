// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import java.util.Optional;

/**
 * A connection, as those see it who prove over it who they are: one object for each, by its identity. From any thread.
 */
@FunctionalInterface
public interface SecureChannel {

  /** One that nothing below protects. */
  SecureChannel NONE = Optional::empty;

  /**
   * What both ends of a connection know that is protected below, as by TLS, and what nobody between two such
   * connections can have the same of both (RFC 5056 §2.1): a prefix, a colon, and what the prefix says.
   *
   * @return its channel bindings, the same at both ends; empty if nothing protects it, or it has none
   */
  Optional<byte[]> bindings();
}
