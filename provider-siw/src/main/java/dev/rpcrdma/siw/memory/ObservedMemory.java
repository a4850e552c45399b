// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Stands for the memory of a stranger whose stream is only observed: any place can be written, and
 * only the first bytes are kept.
 */
public final class ObservedMemory extends HostMemory {

  private static final int FIRST_ROOM = 4096;

  private final int most;
  private byte[] kept = new byte[0];
  private int length;

  /**
   * Creates memory.
   *
   * @param most how many bytes are kept, from index 0
   */
  public ObservedMemory(int most) {
    super(new HostProtectionDomain(), ByteBuffer.allocate(0), Backing.MEMORY);
    this.most = most;
  }

  @Override
  public void place(int index, ByteBuffer source, int at, int count) {
    if (index < 0 || index >= most) {
      return;
    }
    int end = index + Math.min(count, most - index);
    if (end > kept.length) {
      kept = Arrays.copyOf(kept, Math.min(most, Math.max(FIRST_ROOM, 2 * end)));
    }
    source.get(at, kept, index, end - index);
    length = Math.max(length, end);
  }

  /**
   * Takes out what was kept, and is empty again.
   *
   * @return a copy
   */
  public byte[] take() {
    byte[] taken = Arrays.copyOf(kept, length);
    length = 0;
    return taken;
  }
}
