// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

/** Constants of ONC RPC (RFC 5531). */
public final class OncRpc {

  /** The only version of the RPC protocol. */
  public static final int RPC_VERSION = 2;

  /** msg_type of a call. */
  public static final int CALL = 0;

  /** msg_type of a reply. */
  public static final int REPLY = 1;

  /**
   * Bytes before the results of a successful reply whose verifier is empty: XID, msg_type,
   * reply_stat, verifier flavor and length, accept_stat.
   */
  public static final int SUCCESS_HEADER_LENGTH = 24;

  private OncRpc() {}
}
