/* What is alive, of each kind; and what a caller has done that it must not do. */

#define KINDS(X) \
  X(DEVICE_LIST, "device list") X(DOMAIN, "protection domain") X(REGION, "memory region") \
  X(COMPLETION_CHANNEL, "completion channel") X(COMPLETION_QUEUE, "completion queue") X(QUEUE_PAIR, "queue pair") \
  X(EVENT_CHANNEL, "event channel") X(IDENTIFIER, "connection identifier") X(EVENT, "connection event")

#define KIND(kind, name) kind,
enum kind { KINDS(KIND) KIND_COUNT };
#define KIND_NAME(kind, name) name,
static const char *kind_names[] = {KINDS(KIND_NAME)};

#define MAGIC 0xfab21c0b1ec7f00dull
#define MOST_VIOLATIONS 64
#define VIOLATION_BYTES 200

/* In front of each structure that callers know. */
struct object {
  uint64_t magic;
  enum kind kind;
  int alive;
  /* Made before the last reset: nobody minds it any more. */
  int forgotten;
  struct object *next;
  struct object *previous;
};

/* Of those that are alive; a ring. */
static struct object all = {MAGIC, KIND_COUNT, 0, 0, &all, &all};
static long alive[KIND_COUNT];
static long made[KIND_COUNT];
static char violations[MOST_VIOLATIONS][VIOLATION_BYTES];
static int violation_count;

__attribute__((format(printf, 1, 2)))
static void violation(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (violation_count < MOST_VIOLATIONS) {
    vsnprintf(violations[violation_count], VIOLATION_BYTES, format, arguments);
  }
  violation_count++;
  va_end(arguments);
}

static void *make(enum kind kind, size_t size) {
  struct object *object = calloc(1, size);
  object->magic = MAGIC;
  object->kind = kind;
  object->alive = 1;
  object->next = &all;
  object->previous = all.previous;
  all.previous->next = object;
  all.previous = object;
  alive[kind]++;
  made[kind]++;
  return object;
}

/* It stays where it is, so that whoever uses it again is found out. */
static void unmake(struct object *object) {
  object->alive = 0;
  object->next->previous = object->previous;
  object->previous->next = object->next;
  if (!object->forgotten) {
    alive[object->kind]--;
  }
}

/* Whether a caller may use it; else that is noted. */
static int usable(const void *pointer, enum kind kind, enum function number) {
  const struct object *object = pointer;
  const char *function = functions[number].name;
  if ((uintptr_t) pointer < 4096) {
    violation("%s without a %s", function, kind_names[kind]);
  } else if (object->magic != MAGIC || object->kind != kind) {
    violation("%s with something that is no %s", function, kind_names[kind]);
  } else if (!object->alive && !object->forgotten) {
    violation("%s with a %s that is destroyed", function, kind_names[kind]);
  } else {
    return object->alive;
  }
  return 0;
}

/* The object around the structure that a caller knows; near 0 for a null pointer. */
#define AROUND(pointer, type, member) ((struct type *) ((pointer) \
    ? (char *) (pointer) - offsetof(struct type, member) : NULL))

static void forget_all(void) {
  while (all.next != &all) {
    all.next->forgotten = 1;
    alive[all.next->kind]--;
    unmake(all.next);
  }
}
