// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.fabric.WorkQueues.PostedReceive;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.Upcalls;
import java.util.OptionalInt;

/**
 * Carries out the peer's work requests on the event loop of the end that they are aimed at: checks everything first,
 * and has the bytes copied afterwards.
 */
final class Placement {

  private final WorkQueues queues;
  private final FabricExposures exposures;
  private final Upcalls upcalls;
  private long bytesServed;

  Placement(WorkQueues queues, FabricExposures exposures, Upcalls upcalls) {
    this.queues = queues;
    this.exposures = exposures;
    this.upcalls = upcalls;
  }

  long bytesServed() {
    return bytesServed;
  }

  /**
   * Finds out where the bytes of a work request go.
   *
   * @throws RefusedException if they may not; nothing has changed
   */
  Transfer check(FabricWorkRequest request) throws RefusedException {
    if (request.opcode == Opcode.SEND) {
      return message(request);
    }
    // Who reads or writes nothing needs no exposure.
    return request.length == 0 ? new Transfer(request.memory, request.offset, request.memory, request.offset)
        : direct(request);
  }

  private Transfer direct(FabricWorkRequest request) throws RefusedException {
    boolean read = request.opcode == Opcode.READ;
    FabricExposure exposure = exposures.find(request.remoteTag, read ? Access.REMOTE_READ : Access.REMOTE_WRITE,
        request.remoteOffset, request.length);
    int at = exposure.index(request.remoteOffset);
    return read ? new Transfer(exposure.memory(), at, request.memory, request.offset)
        : new Transfer(request.memory, request.offset, exposure.memory(), at);
  }

  private Transfer message(FabricWorkRequest request) throws RefusedException {
    PostedReceive receive = queues.firstReceive();
    if (receive == null) {
      throw new RefusedException("A Send has found no Receive", OptionalInt.empty());
    }
    if (request.length > receive.length()) {
      throw new RefusedException("A message of " + request.length + " bytes does not fit into its Receive of "
          + receive.length(), OptionalInt.empty());
    }
    if (request.invalidates && !exposures.isLive(request.remoteTag)) {
      throw new RefusedException("A Send invalidates steering tag 0x%08x, which is not there"
          .formatted(request.remoteTag), OptionalInt.empty());
    }
    return new Transfer(request.memory, request.offset, receive.memory(), receive.offset());
  }

  /** All bytes of a work request have been copied: the consumer of this end is told what concerns it. */
  void finish(FabricWorkRequest request) {
    if (request.opcode == Opcode.READ) {
      bytesServed += request.length;
    } else if (request.opcode == Opcode.SEND) {
      if (request.invalidates) {
        exposures.invalidate(request.remoteTag);
      }
      long id = queues.firstReceive().id();
      queues.removeFirstReceive();
      upcalls.received(id, request.length, request.invalidates, request.remoteTag);
    }
  }
}
