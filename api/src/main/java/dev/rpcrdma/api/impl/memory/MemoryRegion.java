package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.verbs.LocalMemory;

/** A region that a queue pair can post: registered memory and a range in it. */
public interface MemoryRegion extends Region {

  /** The registration. */
  LocalMemory memory();

  /** Where the region begins in it. */
  int memoryOffset();
}
