// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.HostMemory;

/** A Send, Write or Read from its post to its completion. */
final class FabricWorkRequest {

  final long id;
  final Opcode opcode;
  /** The source, or the sink of a Read; checked. */
  final HostMemory memory;
  final int offset;
  final int length;
  /** The tag of a Write or Read, or the one that a Send invalidates. */
  final int remoteTag;
  final long remoteOffset;
  final boolean invalidates;
  /** How it has ended; null before. Written by the event loop of the peer, and read by that of the requester. */
  volatile Status status;

  FabricWorkRequest(long id, Opcode opcode, HostMemory memory, int offset, int length, int remoteTag, long remoteOffset,
      boolean invalidates) {
    this.id = id;
    this.opcode = opcode;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
    this.remoteTag = remoteTag;
    this.remoteOffset = remoteOffset;
    this.invalidates = invalidates;
  }
}
