// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import java.nio.ByteBuffer;

/** What both ends of the bench agree on. */
final class Wire {

  static final String HOST = "127.0.0.1";
  static final int SMALL = 128;
  static final int LARGE = 1 << 20;
  static final int RECEIVES = 256;
  /** First byte of a message that is to be sent back. */
  static final byte PING = 1;
  /** First byte of a message that is only counted. */
  static final byte STREAM = 2;
  /** Every so many of those are acknowledged, so that Receives are never short. */
  static final int ACKNOWLEDGED = 16;

  static final ConnectionOptions OPTIONS =
      ConnectionOptions.DEFAULT.withQueueDepths(RECEIVES, RECEIVES);

  private Wire() {}

  /** Registers new memory, and waits for it. */
  static LocalMemory memory(ProtectionDomain domain, int length) {
    return Waits.await(
        domain.register(ByteBuffer.allocateDirect(length), LocalMemory.Backing.MEMORY));
  }
}
