// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import java.util.Map;

/** Error numbers of Linux, those that functions of rdma-core and the kernel's RDMA drivers give. */
public final class Errno {

  public static final int EPERM = 1;
  public static final int EINTR = 4;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETUNREACH = 101;
  public static final int ECONNRESET = 104;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;

  private static final Map<Integer, String> TEXTS = Map.ofEntries(
      Map.entry(0, "it does not say why"),
      Map.entry(EPERM, "not permitted (EPERM)"),
      Map.entry(2, "no such file or device (ENOENT)"),
      Map.entry(EINTR, "interrupted (EINTR)"),
      Map.entry(5, "input/output error (EIO)"),
      Map.entry(EAGAIN, "not now (EAGAIN)"),
      Map.entry(ENOMEM, "no memory, or the limit of locked memory is reached (ENOMEM)"),
      Map.entry(EACCES, "no access (EACCES)"),
      Map.entry(EFAULT, "bad address (EFAULT)"),
      Map.entry(EBUSY, "in use (EBUSY)"),
      Map.entry(ENODEV, "no such device (ENODEV)"),
      Map.entry(EINVAL, "not a value that it takes (EINVAL)"),
      Map.entry(24, "too many open files (EMFILE)"),
      Map.entry(28, "no room (ENOSPC)"),
      Map.entry(38, "not implemented (ENOSYS)"),
      Map.entry(95, "not supported (EOPNOTSUPP)"),
      Map.entry(EADDRINUSE, "the address is in use (EADDRINUSE)"),
      Map.entry(EADDRNOTAVAIL, "no such address on an RDMA device here (EADDRNOTAVAIL)"),
      Map.entry(ENETUNREACH, "the network cannot be reached (ENETUNREACH)"),
      Map.entry(ECONNRESET, "the connection was reset (ECONNRESET)"),
      Map.entry(107, "not connected (ENOTCONN)"),
      Map.entry(ETIMEDOUT, "no answer in time (ETIMEDOUT)"),
      Map.entry(ECONNREFUSED, "refused (ECONNREFUSED)"),
      Map.entry(EHOSTUNREACH, "the host cannot be reached (EHOSTUNREACH)"));

  private Errno() {}

  /**
   * What a number means.
   *
   * @param errno not negative
   * @return for people
   */
  public static String text(int errno) {
    return TEXTS.getOrDefault(errno, "errno " + errno);
  }
}
