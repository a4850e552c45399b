/*
 * The thread that moves data, piece by piece; what a piece may touch is looked up anew each time, so that memory which
 * is deregistered is out of reach at once. But for one thing, as on siw: a Read that iWARP's sender has begun to answer
 * goes on.
 */

#define PIECE (64 << 10)
#define RNR_NANOS 30000000ll

enum step { NOTHING, PROGRESS, LATER };

static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct pair *run_first;
static struct pair *run_last;
/* Those that wait for a Receive of their peers. */
static struct pair *sleepers;
static int engine_started;
/* The status that the next requests of an opcode end with. */
static int wrong_opcode;
static int wrong_status;
static long wrong_times;

/* Nothing that has begun goes on. */
static int stalled;

/* As of Linux' siw: what comes from who connects stays where it is until more comes. */
static int overlooking;

static void *engine(void *unused);

static void run(struct pair *pair) {
  if (!pair || pair->runnable) {
    return;
  }
  if (!engine_started) {
    pthread_t thread;
    engine_started = 1;
    pthread_create(&thread, NULL, engine, NULL);
    pthread_detach(thread);
  }
  pair->runnable = 1;
  pair->next_to_run = NULL;
  if (run_last) {
    run_last->next_to_run = pair;
  } else {
    run_first = pair;
  }
  run_last = pair;
  pthread_cond_signal(&work);
}

static uint32_t piece_of(uint32_t length, uint32_t moved) {
  return length - moved < PIECE ? length - moved : PIECE;
}

/* A request fails: its side is told so, and the connection is over. */
static enum step fail(struct pair *pair, struct request *request, int status) {
  end_request(pair, request, status);
  break_connection(pair);
  return NOTHING;
}

/* The peer's device refuses. RoCE's tells the requester why; iWARP's ends the connection, and Sends and Writes are over
 * before. */
static enum step refused(struct pair *pair, struct request *request, int status) {
  if (!is_iwarp_pair(pair)) {
    return fail(pair, request, status);
  }
  if (request->opcode != IBV_WR_RDMA_READ) {
    end_request(pair, request, IBV_WC_SUCCESS);
  }
  break_connection(pair);
  return NOTHING;
}

static enum step done(struct pair *pair, struct request *request) {
  if (wrong_times > 0 && (int) request->opcode == wrong_opcode) {
    wrong_times--;
    return fail(pair, request, wrong_status);
  }
  end_request(pair, request, IBV_WC_SUCCESS);
  return PROGRESS;
}

/* Where this side's next piece is; NULL if it may not be used. */
static char *local_piece(struct pair *pair, struct request *request, uint32_t piece, int access) {
  uint64_t at = request->address + request->moved;
  if (request->inlined) {
    return request->inlined + request->moved;
  }
  if (piece == 0) {
    return "";
  }
  return allowed(pair->domain, request->key, at, piece, access) ? (char *) at : NULL;
}

static enum step send_piece(struct pair *pair, struct request *request) {
  struct pair *peer = pair->peer;
  if (peer->receives_taken == peer->receives_posted) {
    if (is_iwarp_pair(pair)) {
      return refused(pair, request, 0);
    }
    if (pair->give_up == 0) {
      pair->give_up = nanos() + RNR_NANOS;
    }
    return nanos() < pair->give_up ? LATER : fail(pair, request, IBV_WC_RNR_RETRY_EXC_ERR);
  }
  pair->give_up = 0;
  struct receive *receive = peer->receives + peer->receives_taken % peer->receive_slots;
  uint32_t piece = piece_of(request->length, request->moved);
  uint64_t to = receive->address + request->moved;
  char *from = local_piece(pair, request, piece, 0);
  if (!from) {
    return fail(pair, request, IBV_WC_LOC_PROT_ERR);
  }
  int fits = request->length <= receive->length;
  if (!fits || (piece && !allowed(peer->domain, receive->key, to, piece, IBV_ACCESS_LOCAL_WRITE))
      || (request->invalidates && !is_iwarp_pair(pair))) {
    peer->receives_taken++;
    complete(peer, receive->name, fits ? IBV_WC_LOC_PROT_ERR : IBV_WC_LOC_LEN_ERR, 0, 0, 0);
    return refused(pair, request, IBV_WC_REM_INV_REQ_ERR);
  }
  memcpy((char *) to, from, piece);
  request->moved += piece;
  if (request->moved < request->length) {
    return PROGRESS;
  }
  if (request->invalidates) {
    struct region *region = find_region(request->remote_key);
    if (!region || region->mr.pd != &peer->domain->pd) {
      return refused(pair, request, IBV_WC_REM_INV_REQ_ERR);
    }
    end_region(region);
  }
  pair->begun++;
  peer->receives_taken++;
  complete(peer, receive->name, IBV_WC_SUCCESS, IBV_WC_RECV, request->length, 0);
  return done(pair, request);
}

static enum step write_piece(struct pair *pair, struct request *request) {
  uint32_t piece = piece_of(request->length, request->moved);
  uint64_t to = request->remote_address + request->moved;
  char *from = local_piece(pair, request, piece, 0);
  if (!from) {
    return fail(pair, request, IBV_WC_LOC_PROT_ERR);
  }
  if (piece && !allowed(pair->peer->domain, request->remote_key, to, piece, IBV_ACCESS_REMOTE_WRITE)) {
    return refused(pair, request, IBV_WC_REM_ACCESS_ERR);
  }
  if (piece) {
    memcpy((char *) to, from, piece);
  }
  request->moved += piece;
  if (request->moved < request->length) {
    return PROGRESS;
  }
  pair->begun++;
  return done(pair, request);
}

/* RoCE answers a Read before it looks at what was sent behind it. */
static enum step read_piece(struct pair *pair, struct request *request) {
  uint32_t piece = piece_of(request->length, request->moved);
  uint64_t from = request->remote_address + request->moved;
  char *to = local_piece(pair, request, piece, IBV_ACCESS_LOCAL_WRITE);
  if (!to) {
    return fail(pair, request, IBV_WC_LOC_PROT_ERR);
  }
  if (piece && !allowed(pair->peer->domain, request->remote_key, from, piece, IBV_ACCESS_REMOTE_READ)) {
    return refused(pair, request, IBV_WC_REM_ACCESS_ERR);
  }
  if (piece) {
    memcpy(to, (char *) from, piece);
  }
  request->moved += piece;
  if (request->moved < request->length) {
    return PROGRESS;
  }
  pair->begun++;
  return done(pair, request);
}

/* iWARP's Read: the peer's sender is asked, and this one goes on with what is behind. */
static enum step ask_to_read(struct pair *pair, struct request *request) {
  struct pair *peer = pair->peer;
  if (peer->response_count == MOST_RESPONSES) {
    return refused(pair, request, 0);
  }
  struct response *response = peer->responses + (peer->first_response + peer->response_count++) % MOST_RESPONSES;
  *response = (struct response) {pair, request, NULL};
  pair->begun++;
  run(peer);
  return PROGRESS;
}

/* Bytes of a region that is deregistered, as long as they are there. */
static int copied(char *to, uint64_t from, uint32_t length) {
  struct iovec here = {to, length};
  struct iovec there = {(void *) from, length};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == length;
}

/* A piece of what the peer reads. Bounds are looked at once, and rights never. */
static enum step response_piece(struct pair *pair) {
  struct response *response = pair->responses + pair->first_response;
  struct request *request = response->request;
  uint32_t piece = piece_of(request->length, request->moved);
  uint64_t from = request->remote_address + request->moved;
  if (request->length && !response->region) {
    response->region = allowed(pair->domain, request->remote_key, from, request->length, 0);
    if (!response->region) {
      break_connection(pair);
      return NOTHING;
    }
  }
  char *to = local_piece(response->reader, request, piece, IBV_ACCESS_LOCAL_WRITE);
  if (!to) {
    return fail(response->reader, request, IBV_WC_LOC_PROT_ERR);
  }
  if (piece && response->region->object.alive) {
    memcpy(to, (char *) from, piece);
  } else if (piece && !copied(to, from, piece)) {
    violation("memory of %u bytes was given back while the peer was reading it", request->length);
    break_connection(pair);
    return NOTHING;
  }
  request->moved += piece;
  pair->response_active = request->moved < request->length;
  if (!pair->response_active) {
    pair->first_response = (pair->first_response + 1) % MOST_RESPONSES;
    pair->response_count--;
    return done(response->reader, request);
  }
  return PROGRESS;
}

static enum step step(struct pair *pair) {
  if (!pair->object.alive || pair->state != UP || !pair->peer || pair->peer->state != UP) {
    return NOTHING;
  }
  struct request *request = pair->begun < pair->posted ? request_at(pair, pair->begun) : NULL;
  if (stalled && (pair->response_active || (request && request->moved > 0))) {
    return LATER;
  }
  if (overlooking && is_iwarp_pair(pair) && !pair->identifier->accepting && pair->posted == 1) {
    return NOTHING;
  }
  if (is_iwarp_pair(pair)) {
    /* What is under way ends first; then each has its turn. */
    int sending = request && request->moved > 0;
    if (pair->response_count && !sending && (pair->response_active || !request || pair->responds_next)) {
      pair->responds_next = 0;
      return response_piece(pair);
    }
    pair->responds_next = 1;
  }
  if (!request) {
    return NOTHING;
  }
  switch (request->opcode) {
    case IBV_WR_RDMA_WRITE:
      return write_piece(pair, request);
    case IBV_WR_RDMA_READ:
      return is_iwarp_pair(pair) ? ask_to_read(pair, request) : read_piece(pair, request);
    default:
      return send_piece(pair, request);
  }
}

static void wake(struct pair *pair) {
  for (struct pair **at = &sleepers; *at; at = &(*at)->next_to_run) {
    if (*at == pair) {
      *at = pair->next_to_run;
      pair->runnable = 0;
      run(pair);
      return;
    }
  }
}

static void *engine(void *unused) {
  pthread_mutex_lock(&lock);
  while (1) {
    struct pair *pair = run_first;
    if (!pair) {
      struct timespec until = in_millis(5);
      if (!sleepers) {
        pthread_cond_wait(&work, &lock);
      } else if (pthread_cond_timedwait(&work, &lock, &until) == ETIMEDOUT) {
        while (sleepers) {
          wake(sleepers);
        }
      }
      continue;
    }
    run_first = pair->next_to_run;
    if (!run_first) {
      run_last = NULL;
    }
    pair->runnable = 0;
    enum step outcome = step(pair);
    if (outcome == PROGRESS) {
      run(pair);
    } else if (outcome == LATER) {
      pair->runnable = 1;
      pair->next_to_run = sleepers;
      sleepers = pair;
    }
    if (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST)) {
      pthread_mutex_unlock(&lock);
      while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST)) {
        sched_yield();
      }
      pthread_mutex_lock(&lock);
    }
  }
  return NULL;
}
