// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.verbs.VerbsException;
import java.nio.ByteBuffer;

/**
 * A range of memory as a device sees it. That is the memory itself, unless it is a mapped file that the kernel does not
 * pin: Linux before 6.2 pins none that is mapped for reading, and since 6.5 none of most file systems that is mapped
 * for writing. Then it is a copy.
 *
 * @param region its registration
 * @param address where the device finds it
 * @param copy null if the device sees the memory itself
 */
record IbverbsRange(IbverbsRegion region, long address, ByteBuffer copy) {

  /**
   * Registers a range. On a worker, since copying takes time as well.
   *
   * @throws VerbsException as {@link PairDomain#register}
   * @throws InternalError if a mapped file has been truncated
   */
  static IbverbsRange of(PairDomain domain, SharedMemory memory, int offset, int length, int access) {
    try {
      return new IbverbsRange(domain.register(memory.buffer(), offset, length, access),
          NativeMemory.addressOf(memory.buffer()) + offset, null);
    } catch (VerbsException e) {
      if (!memory.mapped() || !(e.getCause() instanceof NativeException why) || why.errno() != Errno.EFAULT) {
        throw e;
      }
    }
    ByteBuffer copy = ByteBuffer.allocateDirect(length);
    memory.copyTo(offset, length, copy, 0);
    return new IbverbsRange(domain.register(copy, 0, length, access), NativeMemory.addressOf(copy), copy);
  }

  /**
   * What the device has placed is where its consumer looks for it.
   *
   * @param memory of the range
   * @param offset of the range in the memory
   * @param from first byte in the range
   * @param length how many bytes
   * @throws InternalError if a mapped file has been truncated
   */
  void copyBack(SharedMemory memory, int offset, int from, int length) {
    if (copy != null) {
      memory.place(offset + from, copy, from, length);
    }
  }
}
