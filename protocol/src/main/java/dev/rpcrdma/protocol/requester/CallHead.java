// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import java.util.Optional;

/** What is called, and by whom: all of a call but its arguments. */
public interface CallHead {

  /** No metadata. */
  byte[] NO_TAGS = {};

  /**
   * The program's number.
   *
   * @return an unsigned number
   */
  int program();

  /**
   * The program's version.
   *
   * @return an unsigned number
   */
  int version();

  /**
   * The procedure's number.
   *
   * @return an unsigned number
   */
  int procedure();

  /**
   * Returns who calls.
   *
   * @return writes credential and verifier, and judges those of replies
   */
  Credential credential();

  /**
   * Returns what protects each transmission, in place of {@link #credential()}.
   *
   * @return empty if nothing does
   */
  default Optional<CallProtector> protector() {
    return Optional.empty();
  }

  /**
   * Tells whether a refusal says that the server does not know the credential of a call that nothing protects: it is
   * sent once more then, by a {@link #protector} that gets another one.
   *
   * @param status why the server has not executed the call
   * @param shown the credential that was refused
   * @return by default false
   */
  default boolean outdated(AuthStatus status, Credential shown) {
    return false;
  }

  /**
   * Returns metadata that goes with the call where the peer takes it.
   *
   * @return encoded tags, see {@link MetadataBlock}; how long the caller still waits is added
   */
  default byte[] metadata() {
    return NO_TAGS;
  }

  /**
   * Tells whether the call must not be sent to a peer that takes no metadata.
   *
   * @return false, unless it means something else without
   */
  default boolean needsMetadata() {
    return false;
  }

  /**
   * Tells whether the call goes ahead of those that wait for a credit, however many these are, since they depend on it.
   *
   * @return by default true for calls of the control program, which are few
   */
  default boolean goesAhead() {
    return program() == ControlProcedures.PROGRAM;
  }
}
