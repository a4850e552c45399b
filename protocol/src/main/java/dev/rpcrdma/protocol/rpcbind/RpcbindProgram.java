// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

/** Numbers of rpcbind (RFC 1833 §2.1, §2.2, §3.2). Version 2, the portmapper, knows ports of TCP and UDP only. */
public final class RpcbindProgram {

  /** Its number. */
  public static final int NUMBER = 100_000;
  /** Where it listens. */
  public static final int PORT = 111;

  /** The portmapper. */
  public static final int VERSION_2 = 2;
  /** The first with universal addresses. */
  public static final int VERSION_3 = 3;
  /** The version that is asked first. */
  public static final int VERSION_4 = 4;

  /** Does nothing. */
  public static final int NULL = 0;
  /** Registers. */
  public static final int SET = 1;
  /** Takes registrations back. */
  public static final int UNSET = 2;
  /** Tells an address; in version 2, a port. */
  public static final int GETADDR = 3;
  /** Tells all. */
  public static final int DUMP = 4;
  /** Tells the time, in seconds since 1970; not in version 2. */
  public static final int GETTIME = 6;

  /** The number of TCP in version 2. */
  public static final int PROTOCOL_TCP = 6;
  /** The number of UDP in version 2. */
  public static final int PROTOCOL_UDP = 17;

  private RpcbindProgram() {}
}
