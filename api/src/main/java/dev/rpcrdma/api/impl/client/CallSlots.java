// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.protocol.replicated.CallIdentity;
import java.security.SecureRandom;
import java.util.ArrayDeque;

/**
 * The slots that name calls for all servers of an address: as many as there have been calls at a time. Each has one
 * call without an outcome at a time, and the numbers of its calls rise, so that servers keep one reply for each slot.
 * From any thread.
 */
final class CallSlots {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A slot and the call that has it. */
  final class Slot {

    private final int number;
    private CallIdentity identity;

    private Slot(int number) {
      this.number = number;
    }

    CallIdentity identity() {
      return identity;
    }

    /** The call has its outcome; once. */
    void free() {
      synchronized (CallSlots.this) {
        free.push(this);
      }
    }
  }

  private final String instance;
  /** Guarded by this: those that were used last are used first, so that few are. */
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  /** Guarded by this. */
  private int slots;
  /** Guarded by this: of the last call, in whatever slot. */
  private long last;

  CallSlots() {
    byte[] bytes = new byte[CallIdentity.INSTANCE_LENGTH];
    RANDOM.nextBytes(bytes);
    instance = CallIdentity.instance(bytes);
  }

  /** A slot for a new call, which has to be {@linkplain Slot#free freed}. */
  synchronized Slot take() {
    Slot slot = free.isEmpty() ? new Slot(slots++) : free.pop();
    slot.identity = new CallIdentity(instance, slot.number, ++last);
    return slot;
  }
}
