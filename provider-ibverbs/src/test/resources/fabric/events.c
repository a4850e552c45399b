/* Events of connection management: raised, or another one or none instead, as a test wants it. */

#define ANY_TYPE -1
#define MOST_CHANGES 8

/* What happens to events of a type. */
static struct change {
  int type;
  int instead;
  int status;
  long skip;
  long times;
} changes[MOST_CHANGES];

struct rdma_event_channel *rdma_create_event_channel(void) {
  int error = begin(F_rdma_create_event_channel);
  if (error) {
    return made_end(error, NULL);
  }
  struct events *events = make(EVENT_CHANNEL, sizeof *events);
  events->channel.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return made_end(0, &events->channel);
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
  struct events *events = AROUND(channel, events, channel);
  begin(F_rdma_destroy_event_channel);
  if (usable(events, EVENT_CHANNEL, F_rdma_destroy_event_channel)) {
    if (events->users) {
      violation("rdma_destroy_event_channel with %d connection identifiers", events->users);
    }
    close(events->channel.fd);
    unmake(&events->object);
  }
  leave();
}

static struct events *events_of(struct identifier *identifier) {
  return AROUND(identifier->id.channel, events, channel);
}

/* What was found for an event; NULL if it comes as it is. */
static struct change *change_of(int type) {
  for (struct change *change = changes; change < changes + MOST_CHANGES; change++) {
    if (change->times > 0 && (change->type == type || change->type == ANY_TYPE) && change->skip-- <= 0) {
      change->times--;
      return change;
    }
  }
  return NULL;
}

static void append(struct identifier *counted, struct event *event) {
  struct events *events = events_of(counted);
  event->counted = counted;
  if (events->last) {
    events->last->next = event;
  } else {
    events->first = event;
  }
  events->last = event;
  ring_out(events->channel.fd);
}

/* An event for an identifier; its data is padded to a length, if that is more. NULL if there is to be none. */
static struct event *raise_with(struct identifier *identifier, struct identifier *listener, int type, int status,
    const void *data, int length, int padded) {
  struct identifier *counted = listener ? listener : identifier;
  struct change *change = change_of(type);
  if (!identifier->object.alive || !counted->object.alive || (change && change->instead < 0)) {
    return NULL;
  }
  struct event *event = make(EVENT, sizeof *event);
  event->event.id = &identifier->id;
  event->event.listen_id = listener ? &listener->id : NULL;
  event->event.event = change ? change->instead : type;
  event->event.status = change ? change->status : status;
  memcpy(event->data, data, length);
  event->event.param.conn.private_data = padded || length ? event->data : NULL;
  event->event.param.conn.private_data_len = padded > length ? padded : length;
  append(counted, event);
  return event;
}

static struct event *raise_event(struct identifier *identifier, int type, int status) {
  return raise_with(identifier, NULL, type, status, "", 0, 0);
}

static void established_here(struct identifier *identifier);

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **into) {
  struct events *events = AROUND(channel, events, channel);
  int error = begin(F_rdma_get_cm_event);
  if (!error && !usable(events, EVENT_CHANNEL, F_rdma_get_cm_event)) {
    error = EINVAL;
  }
  while (!error && !events->first) {
    if (!waits_for(events->channel.fd)) {
      error = EAGAIN;
    }
  }
  if (!error) {
    struct event *event = events->first;
    events->first = event->next;
    if (!events->first) {
      events->last = NULL;
    }
    drain(events->channel.fd);
    event->counted->unacknowledged++;
    event->taker = event->counted->taker = pthread_self();
    *into = &event->event;
    if (event->event.event == RDMA_CM_EVENT_ESTABLISHED) {
      established_here(AROUND(event->event.id, identifier, id));
    }
  }
  return cm_end(error);
}

int rdma_ack_cm_event(struct rdma_cm_event *public) {
  struct event *event = AROUND(public, event, event);
  int error = begin(F_rdma_ack_cm_event);
  if (usable(event, EVENT, F_rdma_ack_cm_event)) {
    event->counted->unacknowledged--;
    /* Whoever reads it now reads nothing that makes sense. */
    memset(&event->event, 0x5a, sizeof event->event);
    unmake(&event->object);
    pthread_cond_broadcast(&changed);
  }
  return cm_end(error);
}

/* Takes back what nobody has seen yet and is counted for an identifier, which is destroyed. */
static struct event *take_back(struct identifier *identifier) {
  struct events *events = events_of(identifier);
  struct event **at = &events->first;
  struct event *last = NULL;
  struct event *taken = NULL;
  while (*at) {
    struct event *event = *at;
    if (event->counted == identifier) {
      *at = event->next;
      event->next = taken;
      taken = event;
      drain(events->channel.fd);
      unmake(&event->object);
    } else {
      last = event;
      at = &event->next;
    }
  }
  events->last = last;
  return taken;
}

const char *rdma_event_str(enum rdma_cm_event_type type) {
  return "an event of the fake's";
}
