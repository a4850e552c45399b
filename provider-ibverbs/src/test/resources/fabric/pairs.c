/* Queue pairs: made, destroyed, connected, and brought down in the way of their fabric. */

#define ROCE_INLINE 256
#define SIW_INLINE 96

static uint32_t next_pair = 17;

static int is_iwarp_pair(const struct pair *pair) {
  return is_iwarp(pair->qp.context);
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *wanted) {
  struct identifier *identifier = AROUND(id, identifier, id);
  struct domain *domain = AROUND(pd, domain, pd);
  int error = begin(F_rdma_create_qp);
  if (error) {
    return cm_end(error);
  }
  struct completions *completions = AROUND(wanted->send_cq, completions, cq);
  if (!usable(identifier, IDENTIFIER, F_rdma_create_qp) || !usable(domain, DOMAIN, F_rdma_create_qp)
      || !usable(completions, COMPLETION_QUEUE, F_rdma_create_qp)) {
    return cm_end(EINVAL);
  }
  int most = is_iwarp(id->verbs) ? SIW_INLINE : ROCE_INLINE;
  if (!id->verbs || id->verbs != pd->context || identifier->pair || wanted->recv_cq != wanted->send_cq
      || wanted->qp_type != IBV_QPT_RC || wanted->cap.max_inline_data > most || wanted->cap.max_send_wr < 1
      || wanted->cap.max_recv_wr < 1) {
    return cm_end(EINVAL);
  }
  /* Devices give what is at least as much. */
  wanted->cap.max_inline_data = most;
  struct pair *pair = make(QUEUE_PAIR, sizeof *pair);
  pair->qp.context = id->verbs;
  pair->qp.pd = pd;
  pair->qp.send_cq = pair->qp.recv_cq = wanted->send_cq;
  pair->qp.qp_num = next_pair++;
  pair->qp.qp_type = IBV_QPT_RC;
  pair->domain = domain;
  pair->completions = completions;
  pair->identifier = identifier;
  pair->inline_bytes = most;
  pair->send_slots = wanted->cap.max_send_wr;
  pair->sends = calloc(pair->send_slots, sizeof *pair->sends);
  pair->receive_slots = wanted->cap.max_recv_wr;
  pair->receives = calloc(pair->receive_slots, sizeof *pair->receives);
  pair->responses = calloc(MOST_RESPONSES, sizeof *pair->responses);
  domain->users++;
  completions->users++;
  identifier->pair = pair;
  id->qp = &pair->qp;
  return cm_end(0);
}

static struct request *request_at(struct pair *pair, uint64_t number) {
  return pair->sends + number % pair->send_slots;
}

/* Ends a request of the send queue. */
static void end_request(struct pair *pair, struct request *request, int status) {
  static const int opcodes[] = {[IBV_WR_RDMA_WRITE] = IBV_WC_RDMA_WRITE, [IBV_WR_SEND] = IBV_WC_SEND,
      [IBV_WR_RDMA_READ] = IBV_WC_RDMA_READ, [IBV_WR_SEND_WITH_INV] = IBV_WC_SEND};
  request->over = 1;
  free(request->inlined);
  request->inlined = NULL;
  pair->untold++;
  if (status || request->signaled) {
    complete(pair, request->name, status, opcodes[request->opcode], request->moved, pair->untold);
    pair->untold = 0;
  }
  while (pair->over < pair->posted && request_at(pair, pair->over)->over) {
    pair->over++;
  }
}

/* All that is queued ends as flushed. */
static void flush(struct pair *pair) {
  for (uint64_t number = pair->over; number < pair->posted; number++) {
    struct request *request = request_at(pair, number);
    if (!request->over) {
      end_request(pair, request, IBV_WC_WR_FLUSH_ERR);
    }
  }
  pair->begun = pair->posted;
  for (; pair->receives_taken < pair->receives_posted; pair->receives_taken++) {
    complete(pair, pair->receives[pair->receives_taken % pair->receive_slots].name, IBV_WC_WR_FLUSH_ERR, 0, 0, 0);
  }
}

static void connection_lost(struct identifier *identifier);

/* One end of a connection is over. iWARP flushes what is there, and loses what is posted later. */
static void down(struct pair *pair) {
  if (pair->state == DOWN) {
    return;
  }
  pair->state = DOWN;
  pair->response_count = 0;
  if (is_iwarp_pair(pair)) {
    flush(pair);
    if (pair->identifier) {
      connection_lost(pair->identifier);
    }
  }
}

/* Both ends are over, since the device of one has found an error; on RoCE nobody is told but by completions. */
static void break_connection(struct pair *pair) {
  struct pair *peer = pair->peer;
  down(pair);
  if (peer) {
    down(peer);
  }
}

void rdma_destroy_qp(struct rdma_cm_id *id) {
  struct identifier *identifier = AROUND(id, identifier, id);
  begin(F_rdma_destroy_qp);
  if (usable(identifier, IDENTIFIER, F_rdma_destroy_qp)
      && usable(identifier->pair, QUEUE_PAIR, F_rdma_destroy_qp)) {
    struct pair *pair = identifier->pair;
    struct completions *completions = pair->completions;
    identifier->pair = NULL;
    id->qp = NULL;
    pair->identifier = NULL;
    for (int i = 0; i < completions->count; i++) {
      struct completion *completion = completions->ring + (completions->first + i) % completions->size;
      if (completion->pair == pair) {
        completion->pair = NULL;
      }
    }
    if (is_iwarp_pair(pair)) {
      /* TCP ends. */
      pair->completions = completions;
      struct pair *peer = pair->peer;
      pair->state = DOWN;
      if (peer) {
        down(peer);
      }
      connection_lost(identifier);
    } else {
      /* As NICs do, and software does not: what was not polled is gone. */
      completions->count = 0;
    }
    if (pair->peer) {
      pair->peer->peer = NULL;
    }
    for (uint64_t number = pair->over; number < pair->posted; number++) {
      free(request_at(pair, number)->inlined);
    }
    pair->state = DOWN;
    pair->domain->users--;
    completions->users--;
    free(pair->sends);
    free(pair->receives);
    free(pair->responses);
    unmake(&pair->object);
  }
  leave();
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask) {
  struct pair *pair = AROUND(qp, pair, qp);
  int error = begin(F_ibv_modify_qp);
  if (!error && (!usable(pair, QUEUE_PAIR, F_ibv_modify_qp) || mask != IBV_QP_STATE
      || attributes->qp_state != IBV_QPS_ERR)) {
    error = EINVAL;
  }
  if (!error) {
    down(pair);
    flush(pair);
  }
  return verbs_end(error, qp && is_iwarp(qp->context));
}
