// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

/**
 * Where the fields of rdma-core's structures are, in bytes, on x86-64 and aarch64: the same on both, as far as they are
 * used here. They are a part of the binary interface of soname 1, which has kept them since version 17.
 */
public final class Layouts {

  private Layouts() {}

  /** {@code struct ibv_device}. */
  public static final class Device {
    public static final int TRANSPORT = 20;
    public static final int NAME = 24;

    private Device() {}
  }

  /** {@code struct ibv_context}, with the functions of its {@code ops}. */
  public static final class Context {
    public static final int DEVICE = 0;
    public static final int POLL_CQ = 96;
    public static final int REQ_NOTIFY_CQ = 104;
    public static final int POST_SEND = 208;
    public static final int POST_RECV = 216;
    public static final int CMD_FD = 264;
    public static final int ASYNC_FD = 268;

    private Context() {}
  }

  /** {@code struct ibv_device_attr}. */
  public static final class DeviceAttr {
    public static final int SIZE = 232;
    public static final int MAX_MR_SIZE = 80;
    public static final int VENDOR_ID = 96;
    public static final int MAX_QP_WR = 112;
    public static final int MAX_SGE = 120;
    public static final int MAX_CQE = 132;
    public static final int MAX_MR = 136;
    public static final int MAX_QP_RD_ATOM = 144;
    public static final int MAX_QP_INIT_RD_ATOM = 156;
    public static final int PHYS_PORT_CNT = 227;

    private DeviceAttr() {}
  }

  /** {@code struct ibv_port_attr}. */
  public static final class PortAttr {
    public static final int SIZE = 52;
    public static final int STATE = 0;
    public static final int ACTIVE_MTU = 8;
    public static final int LINK_LAYER = 46;

    private PortAttr() {}
  }

  /** {@code struct ibv_mr}. */
  public static final class Mr {
    public static final int PD = 8;
    public static final int ADDR = 16;
    public static final int LENGTH = 24;
    public static final int LKEY = 36;
    public static final int RKEY = 40;

    private Mr() {}
  }

  /** {@code struct ibv_comp_channel}. */
  public static final class CompChannel {
    public static final int FD = 8;

    private CompChannel() {}
  }

  /** {@code struct ibv_qp}. */
  public static final class Qp {
    public static final int CONTEXT = 0;
    public static final int PD = 16;
    public static final int SEND_CQ = 24;
    public static final int RECV_CQ = 32;
    public static final int QP_NUM = 52;

    private Qp() {}
  }

  /** {@code struct ibv_qp_init_attr}, with {@code struct ibv_qp_cap}. */
  public static final class QpInitAttr {
    public static final int SIZE = 64;
    public static final int SEND_CQ = 8;
    public static final int RECV_CQ = 16;
    public static final int MAX_SEND_WR = 32;
    public static final int MAX_RECV_WR = 36;
    public static final int MAX_SEND_SGE = 40;
    public static final int MAX_RECV_SGE = 44;
    public static final int MAX_INLINE_DATA = 48;
    public static final int QP_TYPE = 52;
    public static final int SQ_SIG_ALL = 56;

    private QpInitAttr() {}
  }

  /** {@code struct ibv_sge}. */
  public static final class Sge {
    public static final int SIZE = 16;
    public static final int ADDR = 0;
    public static final int LENGTH = 8;
    public static final int LKEY = 12;

    private Sge() {}
  }

  /** {@code struct ibv_send_wr}. */
  public static final class SendWr {
    public static final int SIZE = 128;
    public static final int WR_ID = 0;
    public static final int NEXT = 8;
    public static final int SG_LIST = 16;
    public static final int NUM_SGE = 24;
    public static final int OPCODE = 28;
    public static final int SEND_FLAGS = 32;
    public static final int INVALIDATE_RKEY = 36;
    public static final int REMOTE_ADDR = 40;
    public static final int RKEY = 48;

    private SendWr() {}
  }

  /** {@code struct ibv_recv_wr}. */
  public static final class RecvWr {
    public static final int SIZE = 32;
    public static final int WR_ID = 0;
    public static final int NEXT = 8;
    public static final int SG_LIST = 16;
    public static final int NUM_SGE = 24;

    private RecvWr() {}
  }

  /** {@code struct ibv_wc}. */
  public static final class Wc {
    public static final int SIZE = 48;
    public static final int WR_ID = 0;
    public static final int STATUS = 8;
    public static final int OPCODE = 12;
    public static final int VENDOR_ERR = 16;
    public static final int BYTE_LEN = 20;
    public static final int INVALIDATED_RKEY = 24;
    public static final int WC_FLAGS = 36;

    private Wc() {}
  }

  /** {@code struct ibv_async_event}. */
  public static final class AsyncEvent {
    public static final int SIZE = 16;
    public static final int EVENT_TYPE = 8;

    private AsyncEvent() {}
  }

  /** {@code struct rdma_event_channel}. */
  public static final class EventChannel {
    public static final int FD = 0;

    private EventChannel() {}
  }

  /** {@code struct rdma_cm_id}. */
  public static final class CmId {
    public static final int VERBS = 0;
    public static final int CHANNEL = 8;
    public static final int CONTEXT = 16;
    public static final int QP = 24;
    public static final int SRC_ADDR = 32;
    public static final int DST_ADDR = 160;
    public static final int PS = 344;

    private CmId() {}
  }

  /** {@code struct rdma_conn_param}. */
  public static final class ConnParam {
    public static final int SIZE = 24;
    public static final int PRIVATE_DATA = 0;
    public static final int PRIVATE_DATA_LEN = 8;
    public static final int RESPONDER_RESOURCES = 9;
    public static final int INITIATOR_DEPTH = 10;
    public static final int RETRY_COUNT = 12;
    public static final int RNR_RETRY_COUNT = 13;

    private ConnParam() {}
  }

  /** {@code struct rdma_cm_event}. */
  public static final class CmEvent {
    public static final int ID = 0;
    public static final int LISTEN_ID = 8;
    public static final int EVENT = 16;
    public static final int STATUS = 20;
    public static final int PRIVATE_DATA = 24;
    public static final int PRIVATE_DATA_LEN = 32;
    public static final int RESPONDER_RESOURCES = 33;
    public static final int INITIATOR_DEPTH = 34;

    private CmEvent() {}
  }
}
