// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;

/** What a queue pair can post: registered memory and a place in it. */
public interface RegisteredRange {

  /** The registration. */
  LocalMemory memory();

  /** Where the range begins in it. */
  int memoryOffset();
}
