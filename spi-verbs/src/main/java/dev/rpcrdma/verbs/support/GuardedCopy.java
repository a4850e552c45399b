// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import java.nio.ByteBuffer;

/** Copies to and from mapped files, which another process may truncate meanwhile. */
public final class GuardedCopy {

  /** Why a connection ends when a mapped file loses its pages. */
  public static final String TRUNCATED = "A mapped file was truncated while it was in use";

  /** Written only so that the allocation in {@link #copy} is not optimised away. */
  private static volatile Object runtimeCall;

  private GuardedCopy() {}

  /**
   * Copies bytes and has a fault in a mapped page reported here.
   *
   * <p>Java 17 reports such a fault not at the copy that met it but when the thread next comes back from the
   * virtual machine's runtime, so this goes there: allocating an array of many dimensions always does, compiled or
   * not (calls of native methods proved not to). Should the fault be reported later still, the turn of the
   * connection has to catch it.
   *
   * @param target where to; its position stays
   * @param to index of the first byte there
   * @param source where from; its position stays
   * @param from index of the first byte there
   * @param length number of bytes
   * @throws InternalError if one of the two is a mapped file that has been truncated
   */
  public static void copy(ByteBuffer target, int to, ByteBuffer source, int from, int length) {
    target.put(to, source, from, length);
    runtimeCall = new int[1][1][1][1][1][1];
  }
}
