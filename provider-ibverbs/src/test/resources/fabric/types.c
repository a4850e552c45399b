/* The objects. */

struct domain {
  struct object object;
  struct ibv_pd pd;
  int users;
};

struct region {
  struct object object;
  struct ibv_mr mr;
  int access;
  struct region *same_slot;
};

struct channel {
  struct object object;
  struct ibv_comp_channel channel;
  struct notice *first;
  struct notice *last;
  int users;
};

/* That a completion queue has something. */
struct notice {
  struct completions *queue;
  struct notice *next;
};

struct completion {
  struct ibv_wc wc;
  struct pair *pair;
  /* How many slots of the send queue are free again when it is polled. */
  int frees;
};

struct completions {
  struct object object;
  struct ibv_cq cq;
  struct channel *channel;
  struct completion *ring;
  int size;
  int first;
  int count;
  int armed;
  int users;
  int unacknowledged;
  pthread_t taker;
};

struct request {
  uint64_t name;
  int opcode;
  int signaled;
  int invalidates;
  uint64_t address;
  uint32_t length;
  uint32_t key;
  uint64_t remote_address;
  uint32_t remote_key;
  char *inlined;
  /* Bytes that are moved. */
  uint32_t moved;
  int over;
};

struct receive {
  uint64_t name;
  uint64_t address;
  uint32_t length;
  uint32_t key;
};

/* A Read of the peer that iWARP's sender answers. */
struct response {
  struct pair *reader;
  struct request *request;
  struct region *region;
};

enum pair_state { UNCONNECTED, UP, DOWN };

#define MOST_RESPONSES 256

struct pair {
  struct object object;
  struct ibv_qp qp;
  struct domain *domain;
  struct completions *completions;
  struct identifier *identifier;
  struct pair *peer;
  enum pair_state state;
  /* RoCE: this side has disconnected, so that whatever is queued is flushed. */
  int flushes;
  int inline_bytes;
  struct request *sends;
  int send_slots;
  /* Requests that were posted, that were begun, and that are over in order; numbers that count up. */
  uint64_t posted;
  uint64_t begun;
  uint64_t over;
  /* Slots that are in use until a completion that covers them is polled. */
  int slots_used;
  int untold;
  struct receive *receives;
  int receive_slots;
  uint64_t receives_posted;
  uint64_t receives_taken;
  struct response *responses;
  int first_response;
  int response_count;
  int response_active;
  int responds_next;
  /* When a message is given up that finds no Receive; 0 if none waits. */
  int64_t give_up;
  int runnable;
  struct pair *next_to_run;
};

struct event {
  struct object object;
  struct rdma_cm_event event;
  struct identifier *counted;
  struct event *next;
  pthread_t taker;
  char data[256];
};

struct events {
  struct object object;
  struct rdma_event_channel channel;
  struct event *first;
  struct event *last;
  int users;
};

enum id_state {
  IDLE, BOUND, LISTENING, ADDRESS_RESOLVED, ROUTE_RESOLVED, CONNECTING, REQUESTED, ACCEPTED, CONNECTED, DISCONNECTED
};

struct identifier {
  struct object object;
  struct rdma_cm_id id;
  enum id_state state;
  int accepting;
  struct identifier *peer;
  struct pair *pair;
  int unacknowledged;
  pthread_t taker;
  /* This side has called rdma_disconnect; it was told of the end. */
  int disconnected;
  int told;
  /* The peer has asked for the connection's end. */
  int asked_to_end;
  uint8_t inbound_reads;
  uint8_t outbound_reads;
};

static struct ibv_context contexts[2];

static int is_iwarp(const struct ibv_context *context) {
  return context == contexts + 1;
}
