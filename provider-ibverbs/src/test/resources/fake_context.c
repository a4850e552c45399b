/* What QueueFunctions calls: an ibv_context whose functions write down what they were called with. */
#include <infiniband/verbs.h>
#include <string.h>

static struct ibv_context context;
static uint64_t seen[4];

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc) {
  seen[0] = (uint64_t) cq;
  for (int i = 0; i < most; i++) {
    memset(wc + i, 0, sizeof *wc);
    wc[i].wr_id = 0x1122334455667700 + i;
    wc[i].status = IBV_WC_REM_ACCESS_ERR;
    wc[i].opcode = IBV_WC_RECV;
    wc[i].byte_len = 4711;
  }
  return most;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited) {
  seen[0] = (uint64_t) cq;
  return solicited ? 22 : -12;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  seen[0] = (uint64_t) qp;
  seen[1] = wr->wr_id;
  seen[2] = wr->wr.rdma.remote_addr;
  seen[3] = wr->sg_list->lkey;
  *bad = wr->next;
  return -12;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  seen[0] = (uint64_t) qp;
  seen[1] = wr->wr_id;
  *bad = wr;
  return 12;
}

struct ibv_context *fake_context(void) {
  context.ops.poll_cq = poll_cq;
  context.ops.req_notify_cq = req_notify_cq;
  context.ops.post_send = post_send;
  context.ops.post_recv = post_recv;
  return &context;
}

uint64_t *fake_seen(void) {
  return seen;
}
