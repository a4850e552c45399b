/* Connections: made, refused and ended, each fabric in its way. */

#define ROCE_CONNECT_DATA 56
#define ROCE_ACCEPT_DATA 196
#define ROCE_REJECT_DATA 148
#define SIW_DATA 251
/* Reasons of InfiniBand's rejections. */
#define INVALID_SERVICE_ID 8
#define CONSUMER_DEFINED 28

static int iwarp_id(struct identifier *identifier) {
  return is_iwarp(identifier->id.verbs);
}

static int data_fits(struct identifier *identifier, int length, int roce) {
  return length <= (iwarp_id(identifier) ? SIW_DATA : roce);
}

/* Whether parameters can be had. */
static int valid(struct identifier *identifier, struct rdma_conn_param *wanted, int roce) {
  return identifier->pair && data_fits(identifier, wanted->private_data_len, roce)
      && wanted->responder_resources <= 128 && wanted->initiator_depth <= 128;
}

static void rejected(struct identifier *identifier, const void *data, int length) {
  if (iwarp_id(identifier)) {
    raise_with(identifier, NULL, RDMA_CM_EVENT_REJECTED, -ECONNRESET, data, length, 0);
  } else {
    raise_with(identifier, NULL, RDMA_CM_EVENT_REJECTED, CONSUMER_DEFINED, data, length, ROCE_REJECT_DATA);
  }
  identifier->state = ROUTE_RESOLVED;
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *wanted) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_connect);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_connect) || identifier->state != ROUTE_RESOLVED
      || !valid(identifier, wanted, ROCE_CONNECT_DATA))) {
    error = EINVAL;
  }
  if (error) {
    return cm_end(error);
  }
  struct identifier *listener = find(listens, target(id));
  if (!listener) {
    if (iwarp_id(identifier)) {
      return cm_end(ECONNREFUSED);
    }
    raise_event(identifier, RDMA_CM_EVENT_REJECTED, INVALID_SERVICE_ID);
    return cm_end(0);
  }
  identifier->state = CONNECTING;
  identifier->inbound_reads = wanted->responder_resources;
  identifier->outbound_reads = wanted->initiator_depth;
  struct identifier *other = make_identifier(listener->id.channel, listener->id.context);
  other->accepting = 1;
  other->state = REQUESTED;
  other->id.verbs = id->verbs;
  *source(&other->id) = *target(id);
  *target(&other->id) = *source(id);
  other->peer = identifier;
  identifier->peer = other;
  struct event *event = raise_with(other, listener, RDMA_CM_EVENT_CONNECT_REQUEST, 0, wanted->private_data,
      wanted->private_data_len, iwarp_id(identifier) ? 0 : ROCE_CONNECT_DATA);
  if (event) {
    event->event.param.conn.responder_resources = wanted->initiator_depth;
    event->event.param.conn.initiator_depth = wanted->responder_resources;
  } else {
    /* Nobody will ever hear of it. */
    other->peer = NULL;
    identifier->peer = NULL;
    destroy(other);
  }
  return cm_end(0);
}

static void up(struct identifier *identifier) {
  struct pair *pair = identifier->pair;
  struct pair *peer = identifier->peer->pair;
  identifier->state = CONNECTED;
  identifier->peer->state = CONNECTED;
  if (pair && peer) {
    pair->peer = peer;
    peer->peer = pair;
    pair->state = pair->state == UNCONNECTED ? UP : pair->state;
    peer->state = peer->state == UNCONNECTED ? UP : peer->state;
  }
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *wanted) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_accept);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_accept) || identifier->state != REQUESTED
      || !valid(identifier, wanted, ROCE_ACCEPT_DATA))) {
    error = EINVAL;
  }
  if (!error && !identifier->peer) {
    error = iwarp_id(identifier) ? ECONNRESET : EINVAL;
  }
  if (error) {
    return cm_end(error);
  }
  struct identifier *peer = identifier->peer;
  identifier->state = ACCEPTED;
  if (iwarp_id(identifier)) {
    up(identifier);
    raise_event(identifier, RDMA_CM_EVENT_ESTABLISHED, 0);
  }
  struct event *event = raise_with(peer, NULL, RDMA_CM_EVENT_ESTABLISHED, 0, wanted->private_data,
      wanted->private_data_len, iwarp_id(peer) ? 0 : ROCE_ACCEPT_DATA);
  if (event) {
    /* iWARP tells what was asked for; RoCE what the peer has answered. */
    event->event.param.conn.responder_resources = iwarp_id(peer) ? peer->outbound_reads : wanted->initiator_depth;
    event->event.param.conn.initiator_depth = iwarp_id(peer) ? peer->inbound_reads : wanted->responder_resources;
  }
  return cm_end(0);
}

/* The event is taken: on RoCE that makes the connecting side ready, which then lets the other side know. */
static void established_here(struct identifier *identifier) {
  if (identifier->accepting || identifier->state != CONNECTING || !identifier->peer || iwarp_id(identifier)
      || identifier->peer->state != ACCEPTED) {
    return;
  }
  up(identifier);
  raise_event(identifier->peer, RDMA_CM_EVENT_ESTABLISHED, 0);
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_reject);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_reject) || identifier->state != REQUESTED
      || !identifier->peer || !data_fits(identifier, length, ROCE_REJECT_DATA))) {
    error = EINVAL;
  }
  if (!error) {
    rejected(identifier->peer, data, length);
    identifier->peer->peer = NULL;
    identifier->peer = NULL;
    identifier->state = DISCONNECTED;
  }
  return cm_end(error);
}

/* Tells a side, once, that its connection is over. */
static void connection_lost(struct identifier *identifier) {
  if (identifier->state == CONNECTED && !identifier->told) {
    identifier->told = 1;
    raise_event(identifier, RDMA_CM_EVENT_DISCONNECTED, 0);
  }
}

/* RoCE: a side asks for the end, or answers that it has heard. */
static void end_by_message(struct identifier *identifier) {
  struct identifier *peer = identifier->peer;
  if (!peer || identifier->asked_to_end) {
    connection_lost(peer ? peer : identifier);
    if (peer) {
      raise_event(identifier, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
      raise_event(peer, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
    }
  } else {
    peer->asked_to_end = 1;
    connection_lost(peer);
  }
}

int rdma_disconnect(struct rdma_cm_id *id) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_disconnect);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_disconnect) || identifier->state != CONNECTED
      || identifier->disconnected)) {
    error = EINVAL;
  }
  if (error) {
    return cm_end(error);
  }
  identifier->disconnected = 1;
  if (iwarp_id(identifier)) {
    if (identifier->pair) {
      break_connection(identifier->pair);
    }
    connection_lost(identifier);
  } else {
    if (identifier->pair) {
      identifier->pair->flushes = 1;
      down(identifier->pair);
      flush(identifier->pair);
    }
    end_by_message(identifier);
  }
  return cm_end(0);
}

/* An identifier is destroyed: what the other side hears of that. */
static void leave_peer(struct identifier *identifier) {
  struct identifier *peer = identifier->peer;
  if (!peer) {
    return;
  }
  peer->peer = NULL;
  switch (identifier->state) {
    case REQUESTED:
      rejected(peer, "", 0);
      break;
    case CONNECTING:
      /* On iWARP whoever accepts it hears that TCP has gone. */
      if (!iwarp_id(identifier)) {
        raise_event(peer, RDMA_CM_EVENT_REJECTED, CONSUMER_DEFINED);
      }
      break;
    case ACCEPTED:
      raise_event(peer, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
      break;
    default:
      connection_lost(peer);
  }
}
