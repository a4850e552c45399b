// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.SaveError;

/** What is asked of the C library: that reading a descriptor does not wait. */
public final class Descriptors {

  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;

  /** Functions of libc. */
  public interface C {

    @SaveError
    int fcntl(int descriptor, int command, long argument);
  }

  private static final class Loaded {
    static final C LIBRARY = LibraryLoader.create(C.class).load("c");

    private Loaded() {}
  }

  private Descriptors() {}

  /**
   * Has reads give EAGAIN when there is nothing.
   *
   * @param descriptor an open one
   * @throws NativeException if it is none
   */
  public static void neverWait(int descriptor) throws NativeException {
    int flags = checked(Loaded.LIBRARY.fcntl(descriptor, F_GETFL, 0));
    checked(Loaded.LIBRARY.fcntl(descriptor, F_SETFL, flags | O_NONBLOCK));
  }

  private static int checked(int result) throws NativeException {
    if (result < 0) {
      throw new NativeException("fcntl", Runtime.getRuntime(Loaded.LIBRARY).getLastError());
    }
    return result;
  }
}
