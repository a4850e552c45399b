// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

/** Enumerators and flags of rdma-core's headers. */
public final class Numbers {

  // enum ibv_wr_opcode
  public static final int WR_RDMA_WRITE = 0;
  public static final int WR_SEND = 2;
  public static final int WR_RDMA_READ = 4;
  public static final int WR_SEND_WITH_INV = 9;

  // enum ibv_send_flags
  public static final int SEND_FENCE = 1;
  public static final int SEND_SIGNALED = 2;
  public static final int SEND_INLINE = 8;

  // enum ibv_wc_status
  public static final int WC_SUCCESS = 0;
  public static final int WC_WR_FLUSH_ERR = 5;
  public static final int WC_REM_ACCESS_ERR = 10;

  // enum ibv_wc_opcode
  public static final int WC_RECV = 128;

  // enum ibv_wc_flags
  public static final int WC_WITH_INV = 8;

  // enum ibv_access_flags
  public static final int ACCESS_LOCAL_WRITE = 1;
  public static final int ACCESS_REMOTE_WRITE = 2;
  public static final int ACCESS_REMOTE_READ = 4;

  // enum ibv_qp_type
  public static final int QPT_RC = 2;

  // enum ibv_qp_state, and its bit in enum ibv_qp_attr_mask
  public static final int QPS_ERR = 6;
  public static final int QP_STATE = 1;

  // enum rdma_port_space
  public static final int PS_TCP = 0x106;

  // enum ibv_transport_type
  public static final int TRANSPORT_IB = 0;
  public static final int TRANSPORT_IWARP = 1;

  // enum ibv_port_state
  public static final int PORT_ACTIVE = 4;

  // enum rdma_cm_event_type
  public static final int ADDR_RESOLVED = 0;
  public static final int ADDR_ERROR = 1;
  public static final int ROUTE_RESOLVED = 2;
  public static final int ROUTE_ERROR = 3;
  public static final int CONNECT_REQUEST = 4;
  public static final int CONNECT_ERROR = 6;
  public static final int UNREACHABLE = 7;
  public static final int REJECTED = 8;
  public static final int ESTABLISHED = 9;
  public static final int DISCONNECTED = 10;
  public static final int DEVICE_REMOVAL = 11;
  public static final int ADDR_CHANGE = 14;
  public static final int TIMEWAIT_EXIT = 15;

  private Numbers() {}
}
