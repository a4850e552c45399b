/* Completion queues, and the channels that tell of them. */

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
  int error = begin(F_ibv_create_comp_channel);
  if (error) {
    return made_end(error, NULL);
  }
  struct channel *channel = make(COMPLETION_CHANNEL, sizeof *channel);
  channel->channel.context = context;
  channel->channel.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return made_end(0, &channel->channel);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *public) {
  struct channel *channel = AROUND(public, channel, channel);
  int error = begin(F_ibv_destroy_comp_channel);
  if (!error && !usable(channel, COMPLETION_CHANNEL, F_ibv_destroy_comp_channel)) {
    error = EINVAL;
  }
  if (!error && channel->users) {
    violation("ibv_destroy_comp_channel with %d completion queues", channel->users);
    error = EBUSY;
  }
  if (!error) {
    close(channel->channel.fd);
    unmake(&channel->object);
  }
  return verbs_end(error, public && is_iwarp(public->context));
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *user, struct ibv_comp_channel *public,
    int vector) {
  struct channel *channel = AROUND(public, channel, channel);
  int error = begin(F_ibv_create_cq);
  if (!error && (entries < 1 || !usable(channel, COMPLETION_CHANNEL, F_ibv_create_cq))) {
    error = EINVAL;
  }
  if (error) {
    return made_end(error, NULL);
  }
  struct completions *queue = make(COMPLETION_QUEUE, sizeof *queue);
  queue->cq.context = context;
  queue->cq.cq_context = user;
  queue->cq.cqe = entries;
  queue->cq.channel = public;
  queue->channel = channel;
  queue->size = entries;
  queue->ring = calloc(entries, sizeof *queue->ring);
  channel->users++;
  return made_end(0, &queue->cq);
}

static void drain(int descriptor) {
  uint64_t one;
  if (read(descriptor, &one, sizeof one) != sizeof one) {
    violation("a channel's descriptor was read by somebody else");
  }
}

static void ring_out(int descriptor) {
  uint64_t one = 1;
  if (write(descriptor, &one, sizeof one) != sizeof one) {
    violation("a channel's descriptor is closed");
  }
}

static void drop_notices(struct completions *queue) {
  struct notice **at = &queue->channel->first;
  struct notice *last = NULL;
  while (*at) {
    struct notice *notice = *at;
    if (notice->queue == queue) {
      *at = notice->next;
      free(notice);
      drain(queue->channel->channel.fd);
    } else {
      last = notice;
      at = &notice->next;
    }
  }
  queue->channel->last = last;
}

#define ACKNOWLEDGED_MILLIS 2000

/* rdma-core waits for as long as it takes. */
static void await_acknowledged(int *unacknowledged, pthread_t taker, const char *what) {
  struct timespec until = in_millis(ACKNOWLEDGED_MILLIS);
  while (*unacknowledged) {
    if (pthread_equal(taker, pthread_self())
        || pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) {
      violation("%s with %d events that are not acknowledged", what, *unacknowledged);
      return;
    }
  }
}

int ibv_destroy_cq(struct ibv_cq *cq) {
  struct completions *queue = AROUND(cq, completions, cq);
  int error = begin(F_ibv_destroy_cq);
  if (!error && !usable(queue, COMPLETION_QUEUE, F_ibv_destroy_cq)) {
    error = EINVAL;
  }
  if (!error && queue->users) {
    violation("ibv_destroy_cq with %d queue pairs", queue->users);
    error = EBUSY;
  }
  if (!error) {
    drop_notices(queue);
    await_acknowledged(&queue->unacknowledged, queue->taker, "ibv_destroy_cq");
    queue->channel->users--;
    free(queue->ring);
    queue->ring = NULL;
    queue->count = 0;
    unmake(&queue->object);
  }
  return verbs_end(error, cq && is_iwarp(cq->context));
}

/* Whether to wait; else errno is to be EAGAIN. With the lock, which is let go meanwhile. */
static int waits_for(int descriptor) {
  if (fcntl(descriptor, F_GETFL) & O_NONBLOCK) {
    return 0;
  }
  leave();
  struct pollfd one = {descriptor, POLLIN, 0};
  poll(&one, 1, -1);
  enter();
  return 1;
}

int ibv_get_cq_event(struct ibv_comp_channel *public, struct ibv_cq **cq, void **user) {
  struct channel *channel = AROUND(public, channel, channel);
  int error = begin(F_ibv_get_cq_event);
  if (!error && !usable(channel, COMPLETION_CHANNEL, F_ibv_get_cq_event)) {
    error = EINVAL;
  }
  while (!error && !channel->first) {
    if (!waits_for(channel->channel.fd)) {
      error = EAGAIN;
    }
  }
  if (!error) {
    struct notice *notice = channel->first;
    channel->first = notice->next;
    if (!channel->first) {
      channel->last = NULL;
    }
    drain(channel->channel.fd);
    notice->queue->unacknowledged++;
    notice->queue->taker = pthread_self();
    *cq = &notice->queue->cq;
    *user = notice->queue->cq.cq_context;
    free(notice);
  }
  return cm_end(error);
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count) {
  struct completions *queue = AROUND(cq, completions, cq);
  begin(F_ibv_ack_cq_events);
  if (usable(queue, COMPLETION_QUEUE, F_ibv_ack_cq_events)) {
    queue->unacknowledged -= count;
    if (queue->unacknowledged < 0) {
      violation("ibv_ack_cq_events of more than there were");
    }
    pthread_cond_broadcast(&changed);
  }
  leave();
}

static void notify(struct completions *queue) {
  struct notice *notice = calloc(1, sizeof *notice);
  notice->queue = queue;
  if (queue->channel->last) {
    queue->channel->last->next = notice;
  } else {
    queue->channel->first = notice;
  }
  queue->channel->last = notice;
  ring_out(queue->channel->channel.fd);
}

static void complete(struct pair *pair, uint64_t name, int status, int opcode, uint32_t length, int frees) {
  struct completions *queue = pair->completions;
  if (!queue->object.alive) {
    return;
  }
  if (queue->count == queue->size) {
    violation("a completion queue of %d entries overflows", queue->size);
    return;
  }
  struct completion *completion = queue->ring + (queue->first + queue->count++) % queue->size;
  memset(completion, 0, sizeof *completion);
  completion->wc.wr_id = name;
  completion->wc.status = status;
  /* That of an error says neither. */
  completion->wc.opcode = status ? 0x5a : opcode;
  completion->wc.byte_len = status ? 0x5a5a5a5a : length;
  completion->wc.qp_num = pair->qp.qp_num;
  completion->pair = pair;
  completion->frees = frees;
  if (queue->armed) {
    queue->armed = 0;
    notify(queue);
  }
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *into) {
  struct completions *queue = AROUND(cq, completions, cq);
  int error = begin(F_ibv_poll_cq);
  int found = 0;
  if (!error && !usable(queue, COMPLETION_QUEUE, F_ibv_poll_cq)) {
    error = EINVAL;
  }
  while (!error && found < most && queue->count > 0) {
    struct completion *completion = queue->ring + queue->first;
    into[found++] = completion->wc;
    if (completion->pair) {
      completion->pair->slots_used -= completion->frees;
    }
    queue->first = (queue->first + 1) % queue->size;
    queue->count--;
  }
  leave();
  return error ? -error : found;
}

/* What has come before raises none. */
static int req_notify_cq(struct ibv_cq *cq, int solicited) {
  struct completions *queue = AROUND(cq, completions, cq);
  int error = begin(F_ibv_req_notify_cq);
  if (!error && !usable(queue, COMPLETION_QUEUE, F_ibv_req_notify_cq)) {
    error = EINVAL;
  }
  if (!error) {
    queue->armed = 1;
  }
  return verbs_end(error, cq && is_iwarp(cq->context));
}
