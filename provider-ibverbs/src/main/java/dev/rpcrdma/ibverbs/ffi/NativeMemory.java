// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of this process that native code reads and writes: a direct buffer, which knows its bounds, and where it is.
 * It lives as long as this does.
 *
 * @param buffer in the order of the machine
 * @param address of its first byte
 */
public record NativeMemory(ByteBuffer buffer, long address) {

  private static final MemoryIO IO = MemoryIO.getInstance();

  /**
   * New memory, all zero.
   *
   * @param bytes how much
   * @return aligned for any structure
   */
  public static NativeMemory allocate(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + Long.BYTES).alignedSlice(Long.BYTES)
        .order(ByteOrder.nativeOrder());
    return new NativeMemory(buffer, addressOf(buffer));
  }

  /**
   * Where a direct buffer is.
   *
   * @param direct the buffer, whatever its position
   * @return of its byte at index 0
   */
  public static long addressOf(ByteBuffer direct) {
    return IO.getDirectBufferAddress(direct);
  }

  /**
   * A structure that native code has made.
   *
   * @param address where it is; not 0
   * @param bytes how much of it is looked at
   * @return a view that is good for as long as the structure is
   */
  public static ByteBuffer view(long address, int bytes) {
    if (address == 0) {
      throw new IllegalStateException("No structure");
    }
    return IO.newDirectByteBuffer(address, bytes).order(ByteOrder.nativeOrder());
  }
}
