/* Connection identifiers: addresses, listening, and their end. */

#define FIRST_PORT 61000
#define PORTS 4000
/* 127.0.0.9 is the address of the second device; all others of 127/8 are the first one's. */
#define SECOND_HOST 9

static int next_port;

static struct sockaddr_in *source(struct rdma_cm_id *id) {
  return &id->route.addr.src_sin;
}

static struct sockaddr_in *target(struct rdma_cm_id *id) {
  return &id->route.addr.dst_sin;
}

static struct ibv_context *device_of(const struct sockaddr_in *address) {
  int second = (ntohl(address->sin_addr.s_addr) & 0xff) == SECOND_HOST;
  return contexts + (second ? !iwarp_first : iwarp_first);
}

static int is_here(const struct sockaddr_in *address) {
  return address->sin_family == AF_INET && ntohl(address->sin_addr.s_addr) >> 24 == 127;
}

static int is_any(const struct sockaddr_in *address) {
  return address->sin_family == AF_INET && address->sin_addr.s_addr == INADDR_ANY;
}

/* Calls for each identifier that is alive, until one is the one. */
static struct identifier *find(int (*is_it)(struct identifier *, const struct sockaddr_in *),
    const struct sockaddr_in *address) {
  for (struct object *object = all.next; object != &all; object = object->next) {
    if (object->kind == IDENTIFIER && is_it((struct identifier *) object, address)) {
      return (struct identifier *) object;
    }
  }
  return NULL;
}

static int overlaps(struct identifier *other, const struct sockaddr_in *address) {
  struct sockaddr_in *theirs = source(&other->id);
  return (other->state == BOUND || other->state == LISTENING) && theirs->sin_port == address->sin_port
      && (is_any(theirs) || is_any(address) || theirs->sin_addr.s_addr == address->sin_addr.s_addr);
}

static int listens(struct identifier *other, const struct sockaddr_in *address) {
  return other->state == LISTENING && overlaps(other, address);
}

static in_port_t free_port(void) {
  next_port = (next_port + 1) % PORTS;
  return htons(FIRST_PORT + next_port);
}

static struct identifier *make_identifier(struct rdma_event_channel *channel, void *user) {
  struct identifier *identifier = make(IDENTIFIER, sizeof *identifier);
  identifier->id.channel = channel;
  identifier->id.context = user;
  identifier->id.ps = RDMA_PS_TCP;
  events_of(identifier)->users++;
  return identifier;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *user, enum rdma_port_space ps) {
  int error = begin(F_rdma_create_id);
  if (!error && (!usable(AROUND(channel, events, channel), EVENT_CHANNEL, F_rdma_create_id) || ps != RDMA_PS_TCP)) {
    error = EINVAL;
  }
  if (!error) {
    *id = &make_identifier(channel, user)->id;
  }
  return cm_end(error);
}

int rdma_migrate_id(struct rdma_cm_id *id, struct rdma_event_channel *channel) {
  return cm_end(begin(F_rdma_migrate_id) ? EINVAL : ENOSYS);
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *public) {
  struct identifier *identifier = AROUND(id, identifier, id);
  struct sockaddr_in *address = (struct sockaddr_in *) public;
  int error = begin(F_rdma_bind_addr);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_bind_addr) || identifier->state != IDLE)) {
    error = EINVAL;
  }
  if (!error && !is_here(address) && !is_any(address)) {
    error = EADDRNOTAVAIL;
  }
  if (!error && address->sin_port && find(overlaps, address)) {
    error = EADDRINUSE;
  }
  if (!error) {
    *source(id) = *address;
    while (!source(id)->sin_port || (!address->sin_port && find(overlaps, source(id)))) {
      source(id)->sin_port = free_port();
    }
    identifier->state = BOUND;
    id->verbs = is_any(address) ? NULL : device_of(address);
  }
  return cm_end(error);
}

int rdma_listen(struct rdma_cm_id *id, int backlog) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_listen);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_listen) || identifier->state != BOUND)) {
    error = EINVAL;
  }
  if (!error) {
    identifier->state = LISTENING;
  }
  return cm_end(error);
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int millis) {
  struct identifier *identifier = AROUND(id, identifier, id);
  struct sockaddr_in *address = (struct sockaddr_in *) to;
  int error = begin(F_rdma_resolve_addr);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_resolve_addr) || identifier->state != IDLE || millis < 1)) {
    error = EINVAL;
  }
  if (!error && !is_here(address)) {
    error = ENODEV;
  }
  if (!error) {
    *target(id) = *address;
    *source(id) = *address;
    source(id)->sin_port = free_port();
    id->verbs = device_of(address);
    identifier->state = ADDRESS_RESOLVED;
    raise_event(identifier, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
  }
  return cm_end(error);
}

int rdma_resolve_route(struct rdma_cm_id *id, int millis) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_resolve_route);
  if (!error && (!usable(identifier, IDENTIFIER, F_rdma_resolve_route) || identifier->state != ADDRESS_RESOLVED
      || millis < 1)) {
    error = EINVAL;
  }
  if (!error) {
    identifier->state = ROUTE_RESOLVED;
    raise_event(identifier, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
  }
  return cm_end(error);
}

static void leave_peer(struct identifier *identifier);

static void destroy(struct identifier *identifier) {
  leave_peer(identifier);
  /* Requests that nobody has seen go with their listener. */
  for (struct event *event = take_back(identifier), *next; event; event = next) {
    next = event->next;
    if (event->event.listen_id == &identifier->id) {
      destroy(AROUND(event->event.id, identifier, id));
    }
  }
  events_of(identifier)->users--;
  unmake(&identifier->object);
}

int rdma_destroy_id(struct rdma_cm_id *id) {
  struct identifier *identifier = AROUND(id, identifier, id);
  int error = begin(F_rdma_destroy_id);
  if (!error && !usable(identifier, IDENTIFIER, F_rdma_destroy_id)) {
    error = EINVAL;
  }
  if (!error) {
    if (identifier->pair) {
      violation("rdma_destroy_id with a queue pair");
    }
    await_acknowledged(&identifier->unacknowledged, identifier->taker, "rdma_destroy_id");
    destroy(identifier);
  }
  return cm_end(error);
}
