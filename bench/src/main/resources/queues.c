/*
 * A device that is nowhere: what is posted to its queues is over when somebody looks. It costs next to nothing, so that
 * what a post and a poll take is what their caller takes. `rounds` is such a caller, in C.
 */
#include <infiniband/verbs.h>
#include <string.h>

#define QUEUE 1024

static struct ibv_context context;
static uint64_t sent[QUEUE], received[QUEUE];
static unsigned sent_head, sent_tail, received_head, received_tail;

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  for (; wr; wr = wr->next) {
    if (wr->send_flags & IBV_SEND_SIGNALED) {
      sent[sent_tail++ % QUEUE] = wr->wr_id;
    }
  }
  return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  for (; wr; wr = wr->next) {
    received[received_tail++ % QUEUE] = wr->wr_id;
  }
  return 0;
}

static void complete(struct ibv_wc *wc, uint64_t id, enum ibv_wc_opcode opcode) {
  wc->wr_id = id;
  wc->status = IBV_WC_SUCCESS;
  wc->opcode = opcode;
  wc->byte_len = 64;
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc) {
  int found = 0;
  while (found < most && sent_head != sent_tail) {
    complete(wc + found++, sent[sent_head++ % QUEUE], IBV_WC_SEND);
  }
  while (found < most && received_head != received_tail) {
    complete(wc + found++, received[received_head++ % QUEUE], IBV_WC_RECV);
  }
  return found;
}

struct ibv_context *device(void) {
  context.ops.post_send = post_send;
  context.ops.post_recv = post_recv;
  context.ops.poll_cq = poll_cq;
  return &context;
}

/* As many Receives and Sends at a time as `chain` says, posted with one call each, and polled. */
long rounds(long count, int chain) {
  static struct ibv_send_wr sends[64];
  static struct ibv_recv_wr receives[64];
  static struct ibv_sge entries[64];
  struct ibv_wc wc[32];
  void *bad;
  long over = 0;
  for (long round = 0; round < count; round++) {
    for (int i = 0; i < chain; i++) {
      entries[i].length = 64;
      sends[i].wr_id = receives[i].wr_id = round * chain + i;
      sends[i].sg_list = receives[i].sg_list = entries + i;
      sends[i].num_sge = receives[i].num_sge = 1;
      sends[i].opcode = IBV_WR_SEND;
      sends[i].send_flags = IBV_SEND_INLINE | (i == chain - 1 ? IBV_SEND_SIGNALED : 0);
      sends[i].next = i == chain - 1 ? NULL : sends + i + 1;
      receives[i].next = i == chain - 1 ? NULL : receives + i + 1;
    }
    ((volatile struct ibv_context *) &context)->ops.post_recv(NULL, receives, (struct ibv_recv_wr **) &bad);
    ((volatile struct ibv_context *) &context)->ops.post_send(NULL, sends, (struct ibv_send_wr **) &bad);
    int found;
    do {
      found = ((volatile struct ibv_context *) &context)->ops.poll_cq(NULL, 32, wc);
      over += found;
    } while (found == 32);
  }
  return over;
}
