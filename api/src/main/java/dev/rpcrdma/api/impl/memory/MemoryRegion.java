// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.protocol.fabric.Region;

/** A region that a queue pair can post. */
public interface MemoryRegion extends Region, RegisteredRange {}
