// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;

/** A consumer's scope of memory, which its queue pairs register in domains of their own when they post it. */
public final class SharedDomain extends HostProtectionDomain {

  /** Creates an empty domain. */
  public SharedDomain() {}

  @Override
  protected HostMemory registration(ByteBuffer buffer, LocalMemory.Backing backing) {
    return new SharedMemory(this, buffer, backing);
  }
}
