// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Why a connection ended.
 *
 * @param kind which side ended it and how
 * @param detail one sentence for people; may be empty, since many devices tell nothing
 * @param steeringTag the peer's steering tag that the peer's device has refused, as this side named it in a
 *     Write, a Read or the Response to a Read; empty if the peer's device has refused something else, or
 *     if this side's device does not know the tag, as many do not
 */
public record DisconnectReason(Kind kind, String detail, OptionalInt steeringTag) {

  /** Which side ended a connection, and how. */
  public enum Kind {
    /** This side called {@link QueuePair#close()} or closed the device. */
    LOCAL_CLOSE,
    /** The peer closed in good order, or its host did for it. */
    REMOTE_CLOSE,
    /** This side's device found an error, such as a bad tag or a Send without a Receive. */
    LOCAL_ERROR,
    /** The peer's device reported an error. */
    REMOTE_ERROR,
    /** The connection never came up. */
    NOT_ESTABLISHED
  }

  /** Checks that no component is null. */
  public DisconnectReason {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(steeringTag, "steeringTag");
  }

  /**
   * A reason without a steering tag.
   *
   * @param kind which side ended it and how
   * @param detail one sentence for people
   */
  public DisconnectReason(Kind kind, String detail) {
    this(kind, detail, OptionalInt.empty());
  }
}
