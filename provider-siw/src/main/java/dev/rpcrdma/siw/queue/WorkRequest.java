package dev.rpcrdma.siw.queue;

import dev.rpcrdma.siw.memory.SiwMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;

/** A slot of the send queue; the queue makes it when first needed and fills it again and again. */
final class WorkRequest {

  long id;
  Opcode opcode;
  SiwMemory memory;
  int offset;
  int length;
  int tag;
  long remoteOffset;
  boolean invalidates;
  boolean readDone;
}
