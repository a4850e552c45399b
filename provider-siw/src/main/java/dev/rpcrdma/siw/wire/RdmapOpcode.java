// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

/** RDMAP opcodes (RFC 5040 §4.3, figure 4). */
public final class RdmapOpcode {

  /** RDMA Write, tagged. */
  public static final int WRITE = 0x0;
  /** RDMA Read Request, queue 1. */
  public static final int READ_REQUEST = 0x1;
  /** RDMA Read Response, tagged. */
  public static final int READ_RESPONSE = 0x2;
  /** Send, queue 0. */
  public static final int SEND = 0x3;
  /** Send with Invalidate, queue 0. */
  public static final int SEND_INVALIDATE = 0x4;
  /** Send with Solicited Event, queue 0. */
  public static final int SEND_SOLICITED = 0x5;
  /** Send with Solicited Event and Invalidate, queue 0. */
  public static final int SEND_SOLICITED_INVALIDATE = 0x6;
  /** Terminate, queue 2. */
  public static final int TERMINATE = 0x7;

  private RdmapOpcode() {}

  /**
   * Whether a message of this kind is tagged.
   *
   * @param opcode a known opcode
   * @return true for Write and Read Response
   */
  public static boolean isTagged(int opcode) {
    return opcode == WRITE || opcode == READ_RESPONSE;
  }

  /**
   * Whether a Send of this kind invalidates a steering tag.
   *
   * @param opcode an opcode
   * @return true for the two Sends with Invalidate
   */
  public static boolean invalidates(int opcode) {
    return opcode == SEND_INVALIDATE || opcode == SEND_SOLICITED_INVALIDATE;
  }

  /**
   * The queue of an untagged message of this kind.
   *
   * @param opcode the opcode of an untagged message
   * @return a queue number of {@link DdpHeader}
   */
  public static int queue(int opcode) {
    switch (opcode) {
      case READ_REQUEST:
        return DdpHeader.READ_REQUEST_QUEUE;
      case TERMINATE:
        return DdpHeader.TERMINATE_QUEUE;
      default:
        return DdpHeader.SEND_QUEUE;
    }
  }
}
