/* The one lock, and what is known of each function: how often it was called, and how it is to fail or to wait. */

#define FUNCTIONS(X) \
  X(ibv_get_device_list) X(ibv_free_device_list) X(ibv_get_device_name) X(ibv_query_device) X(ibv_query_port) \
  X(ibv_alloc_pd) X(ibv_dealloc_pd) X(ibv_reg_mr) X(ibv_dereg_mr) \
  X(ibv_create_comp_channel) X(ibv_destroy_comp_channel) X(ibv_create_cq) X(ibv_destroy_cq) \
  X(ibv_get_cq_event) X(ibv_ack_cq_events) X(ibv_modify_qp) X(ibv_get_async_event) X(ibv_ack_async_event) \
  X(ibv_is_fork_initialized) X(ibv_poll_cq) X(ibv_req_notify_cq) X(ibv_post_send) X(ibv_post_recv) \
  X(rdma_get_devices) X(rdma_free_devices) X(rdma_create_event_channel) X(rdma_destroy_event_channel) \
  X(rdma_create_id) X(rdma_destroy_id) X(rdma_migrate_id) X(rdma_bind_addr) X(rdma_resolve_addr) \
  X(rdma_resolve_route) X(rdma_listen) X(rdma_connect) X(rdma_accept) X(rdma_reject) X(rdma_disconnect) \
  X(rdma_create_qp) X(rdma_destroy_qp) X(rdma_get_cm_event) X(rdma_ack_cm_event) X(rdma_event_str)

#define NUMBER(name) F_##name,
enum function { FUNCTIONS(NUMBER) FUNCTION_COUNT };

struct known {
  const char *name;
  long calls;
  /* How many calls go well before, and how many fail then, with what. */
  long skip;
  long failing;
  int error;
  int held;
};

#define KNOWN(name) {#name, 0, 0, 0, 0, 0},
static struct known functions[] = {FUNCTIONS(KNOWN)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Callers that wait for the lock, for whom the engine steps aside. */
static int waiting;
/* Of the device that comes first: whether it is iWARP. */
static int iwarp_first;

static void enter(void) {
  __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&lock);
  __atomic_sub_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
}

static void leave(void) {
  pthread_mutex_unlock(&lock);
}

static struct timespec in_millis(long millis) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += millis / 1000;
  now.tv_nsec += millis % 1000 * 1000000;
  if (now.tv_nsec >= 1000000000) {
    now.tv_sec++;
    now.tv_nsec -= 1000000000;
  }
  return now;
}

static int64_t nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* A function begins, with the lock; the errno it is to fail with, or 0. */
static int begin(enum function number) {
  struct known *function = functions + number;
  enter();
  function->calls++;
  pthread_cond_broadcast(&changed);
  while (function->held) {
    pthread_cond_wait(&changed, &lock);
  }
  if (function->failing > 0 && function->skip-- <= 0) {
    function->failing--;
    return function->error;
  }
  return 0;
}

/* A function of librdmacm's ends. */
static int cm_end(int error) {
  leave();
  errno = error;
  return error ? -1 : 0;
}

/* A function of libibverbs's ends: libsiw makes errors negative. */
static int verbs_end(int error, int iwarp) {
  leave();
  errno = error;
  return iwarp ? -error : error;
}

/* One that makes something ends. */
static void *made_end(int error, void *made) {
  leave();
  errno = error;
  return error ? NULL : made;
}
