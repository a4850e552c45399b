/* What tests ask and want. Roles: 0 connects, 1 accepts, 2 listens; of several the newest. */

static char text[MOST_VIOLATIONS * VIOLATION_BYTES];

static struct known *known(const char *name) {
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    if (!strcmp(functions[i].name, name)) {
      return functions + i;
    }
  }
  violation("a test names %s, which is no function of the fake's", name);
  return NULL;
}

/* Begins anew; what is still alive is nobody's any more. */
void fake_reset(int iwarp) {
  enter();
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    functions[i].calls = functions[i].skip = functions[i].failing = functions[i].held = 0;
  }
  pthread_cond_broadcast(&changed);
  forget_all();
  memset(regions, 0, sizeof regions);
  memset(changes, 0, sizeof changes);
  memset(made, 0, sizeof made);
  violation_count = 0;
  wrong_times = 0;
  stalled = 0;
  overlooking = 0;
  requests_posted = 0;
  receives_posted = 0;
  iwarp_first = iwarp;
  leave();
}

const char *fake_violations(void) {
  enter();
  text[0] = 0;
  for (int i = 0; i < violation_count && i < MOST_VIOLATIONS; i++) {
    strcat(text, violations[i]);
    strcat(text, "\n");
  }
  leave();
  return text;
}

/* What is alive, such as "2 queue pair"; empty if nothing is. */
const char *fake_alive(void) {
  enter();
  text[0] = 0;
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    if (alive[kind]) {
      sprintf(text + strlen(text), "%ld %s\n", alive[kind], kind_names[kind]);
    }
  }
  leave();
  return text;
}

static long count(const char *name, const long *counts) {
  long found = -1;
  enter();
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    if (!strcmp(kind_names[kind], name)) {
      found = counts[kind];
    }
  }
  leave();
  return found;
}

long fake_alive_of(const char *kind) {
  return count(kind, alive);
}

long fake_made_of(const char *kind) {
  return count(kind, made);
}

long fake_calls(const char *name) {
  enter();
  struct known *function = known(name);
  long calls = function ? function->calls : -1;
  leave();
  return calls;
}

/* Requests that the device has taken. */
long fake_requests(void) {
  return requests_posted;
}

long fake_receives(void) {
  return receives_posted;
}

/* A function fails so often, after so many calls that do not. */
void fake_fail(const char *name, int error, long skip, long times) {
  enter();
  struct known *function = known(name);
  if (function) {
    function->error = error;
    function->skip = skip;
    function->failing = times;
  }
  leave();
}

/* How many of the failures that were wanted have not come about. */
long fake_unfailed(const char *name) {
  enter();
  struct known *function = known(name);
  long left = function ? function->failing : -1;
  leave();
  return left;
}

/* Calls of a function wait until that is taken back. */
void fake_hold(const char *name, int held) {
  enter();
  struct known *function = known(name);
  if (function) {
    function->held = held;
    pthread_cond_broadcast(&changed);
  }
  leave();
}

/* Instead of events of a type (-1: any) another one is raised, or none (-1). */
void fake_instead(int type, int instead, int status, long skip, long times) {
  enter();
  for (struct change *change = changes; change < changes + MOST_CHANGES; change++) {
    if (change->times == 0) {
      *change = (struct change) {type, instead, status, skip, times};
      break;
    }
  }
  leave();
}

static struct identifier *newest(int role) {
  for (struct object *object = all.previous; object != &all; object = object->previous) {
    struct identifier *identifier = (struct identifier *) object;
    if (object->kind == IDENTIFIER
        && role == (identifier->state == LISTENING ? 2 : identifier->accepting ? 1 : 0)) {
      return identifier;
    }
  }
  return NULL;
}

/* Raises an event; whether there is somebody to raise it for. */
int fake_event(int role, int type, int status) {
  enter();
  struct identifier *identifier = newest(role);
  int found = identifier != NULL;
  if (found) {
    raise_event(identifier, type, status);
  }
  leave();
  return found;
}

/* Tells all that the device has gone, as the kernel does; nothing works on it any more. */
void fake_remove_device(void) {
  enter();
  for (struct object *object = all.next; object != &all; object = object->next) {
    if (object->kind == IDENTIFIER) {
      raise_event((struct identifier *) object, RDMA_CM_EVENT_DEVICE_REMOVAL, 0);
    } else if (object->kind == QUEUE_PAIR) {
      ((struct pair *) object)->state = DOWN;
    }
  }
  leave();
}

/* Completes a request that may be none. */
int fake_complete(int role, long name, int status, int length) {
  enter();
  struct identifier *identifier = newest(role);
  int found = identifier && identifier->pair;
  if (found) {
    complete(identifier->pair, name, status, IBV_WC_SEND, length, 0);
  }
  leave();
  return found;
}

/* The next requests of an opcode end with a status. */
void fake_status(int opcode, int status, long times) {
  enter();
  wrong_opcode = opcode;
  wrong_status = status;
  wrong_times = times;
  leave();
}

/* Whatever is longer than a piece, of 64 KiB, stops behind its first one, until that is taken back. */
void fake_stall(int wanted) {
  enter();
  stalled = wanted;
  pthread_cond_signal(&work);
  leave();
}

/* iWARP's side that accepts overlooks the first request of the other one until there is another, for all connections
 * from now on. */
void fake_overlook(void) {
  enter();
  overlooking = 1;
  leave();
}
