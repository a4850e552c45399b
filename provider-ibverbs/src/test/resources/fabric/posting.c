/* Posting to both queues of a queue pair. */

static int requests_posted;
static int receives_posted;

/* An errno if a request cannot be taken. */
static int post_one(struct pair *pair, struct ibv_send_wr *wanted) {
  if (pair->state == UNCONNECTED || wanted->num_sge != 1
      || (wanted->opcode != IBV_WR_SEND && wanted->opcode != IBV_WR_SEND_WITH_INV
          && wanted->opcode != IBV_WR_RDMA_WRITE && wanted->opcode != IBV_WR_RDMA_READ)) {
    return EINVAL;
  }
  struct ibv_sge *memory = wanted->sg_list;
  int inlined = wanted->send_flags & IBV_SEND_INLINE;
  if (inlined && (wanted->opcode == IBV_WR_RDMA_READ || memory->length > pair->inline_bytes)) {
    return EINVAL;
  }
  if (pair->state == DOWN && is_iwarp_pair(pair)) {
    return 0;
  }
  if (pair->slots_used == pair->send_slots) {
    return ENOMEM;
  }
  struct request *request = request_at(pair, pair->posted++);
  *request = (struct request) {
      .name = wanted->wr_id, .opcode = wanted->opcode, .signaled = wanted->send_flags & IBV_SEND_SIGNALED,
      .invalidates = wanted->opcode == IBV_WR_SEND_WITH_INV, .address = memory->addr, .length = memory->length,
      .key = memory->lkey, .remote_address = wanted->wr.rdma.remote_addr, .remote_key = wanted->wr.rdma.rkey};
  pair->slots_used++;
  requests_posted++;
  if (inlined) {
    request->inlined = malloc(memory->length + 1);
    memcpy(request->inlined, (void *) memory->addr, memory->length);
  }
  return 0;
}

/* A failure that a test wants is that of the last request: those before are posted. */
static int post_send(struct ibv_qp *qp, struct ibv_send_wr *first, struct ibv_send_wr **bad) {
  struct pair *pair = AROUND(qp, pair, qp);
  int wanted = begin(F_ibv_post_send);
  int error = usable(pair, QUEUE_PAIR, F_ibv_post_send) ? 0 : EINVAL;
  for (struct ibv_send_wr *next = first; !error && next; next = next->next) {
    *bad = next;
    error = wanted && !next->next ? wanted : post_one(pair, next);
  }
  if (pair && pair->object.alive) {
    if (pair->flushes) {
      flush(pair);
    }
    run(pair);
  }
  return verbs_end(error, qp && is_iwarp(qp->context));
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *first, struct ibv_recv_wr **bad) {
  struct pair *pair = AROUND(qp, pair, qp);
  int wanted = begin(F_ibv_post_recv);
  int error = usable(pair, QUEUE_PAIR, F_ibv_post_recv) ? 0 : EINVAL;
  for (struct ibv_recv_wr *next = first; !error && next; next = next->next) {
    *bad = next;
    if (wanted && !next->next) {
      error = wanted;
    } else if (next->num_sge != 1) {
      error = EINVAL;
    } else if (pair->receives_posted - pair->receives_taken == pair->receive_slots) {
      error = ENOMEM;
    } else if (pair->state != DOWN || !is_iwarp_pair(pair)) {
      struct receive *receive = pair->receives + pair->receives_posted++ % pair->receive_slots;
      *receive = (struct receive) {next->wr_id, next->sg_list->addr, next->sg_list->length, next->sg_list->lkey};
      receives_posted++;
    }
  }
  if (pair && pair->object.alive) {
    if (pair->flushes) {
      flush(pair);
    }
    if (pair->peer) {
      wake(pair->peer);
    }
  }
  return verbs_end(error, qp && is_iwarp(qp->context));
}
