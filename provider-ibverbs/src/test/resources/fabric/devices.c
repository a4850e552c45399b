/* The two devices. */

static struct ibv_device devices[2];

static void describe_devices(void) {
  for (int i = 0; i < 2; i++) {
    strcpy(devices[i].name, i ? "fakesiw" : "fakeroce");
    devices[i].transport_type = i ? IBV_TRANSPORT_IWARP : IBV_TRANSPORT_IB;
    contexts[i].device = devices + i;
    contexts[i].async_fd = -1;
    contexts[i].ops.poll_cq = poll_cq;
    contexts[i].ops.req_notify_cq = req_notify_cq;
    contexts[i].ops.post_send = post_send;
    contexts[i].ops.post_recv = post_recv;
  }
}

struct device_list {
  struct object object;
  struct ibv_context *contexts[3];
};

struct ibv_context **rdma_get_devices(int *count) {
  int error = begin(F_rdma_get_devices);
  if (error) {
    return made_end(error, NULL);
  }
  describe_devices();
  struct device_list *list = make(DEVICE_LIST, sizeof *list);
  list->contexts[0] = contexts + iwarp_first;
  list->contexts[1] = contexts + !iwarp_first;
  *count = 2;
  return made_end(0, list->contexts);
}

void rdma_free_devices(struct ibv_context **contexts_given) {
  struct device_list *list = AROUND(contexts_given, device_list, contexts);
  begin(F_rdma_free_devices);
  if (usable(list, DEVICE_LIST, F_rdma_free_devices)) {
    unmake(&list->object);
  }
  leave();
}

const char *ibv_get_device_name(struct ibv_device *device) {
  return device->name;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  int error = begin(F_ibv_query_device);
  memset(attr, 0, sizeof *attr);
  attr->vendor_id = is_iwarp(context) ? 0x626d74 : 0;
  attr->phys_port_cnt = 1;
  attr->max_qp_wr = 1 << 15;
  attr->max_cqe = 1 << 16;
  attr->max_qp_rd_atom = 128;
  attr->max_qp_init_rd_atom = 128;
  return verbs_end(error, is_iwarp(context));
}

#undef ibv_query_port
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
  int error = begin(F_ibv_query_port);
  struct ibv_port_attr *found = (struct ibv_port_attr *) attr;
  found->state = IBV_PORT_ACTIVE;
  return verbs_end(error, is_iwarp(context));
}

struct ibv_device **ibv_get_device_list(int *count) {
  return made_end(begin(F_ibv_get_device_list) ? EINVAL : ENOSYS, NULL);
}

void ibv_free_device_list(struct ibv_device **list) {
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
  return cm_end(begin(F_ibv_get_async_event) ? EINVAL : EAGAIN);
}

void ibv_ack_async_event(struct ibv_async_event *event) {
}

enum ibv_fork_status ibv_is_fork_initialized(void) {
  return IBV_FORK_UNNEEDED;
}
