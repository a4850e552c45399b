// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;

/** A slot of the send queue; the queue makes it when first needed and fills it again and again. */
final class WorkRequest {

  long id;
  Opcode opcode;
  HostMemory memory;
  int offset;
  int length;
  int tag;
  long remoteOffset;
  boolean invalidates;
  boolean readDone;
}
