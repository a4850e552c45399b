/* rdma-core with devices that are nowhere: what lists and describes them. All other functions do nothing. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>

static struct ibv_device devices[2];
static struct ibv_context contexts[2];
static int count;
static int wrong_layout;

void fake_devices(int devices_here, int wrong) {
  count = devices_here;
  wrong_layout = wrong;
}

static int ports_up = 1;

void fake_ports(int up) {
  ports_up = up;
}

struct ibv_context **rdma_get_devices(int *num) {
  if (count == 0) {
    errno = ENODEV;
    return NULL;
  }
  struct ibv_context **list = calloc(count + 1, sizeof *list);
  for (int i = 0; i < count && i < 2; i++) {
    strcpy(devices[i].name, i == 0 ? "iwarp0" : "roce1");
    devices[i].transport_type = i == 0 ? IBV_TRANSPORT_IWARP : IBV_TRANSPORT_IB;
    contexts[i].device = devices + i;
    list[i] = contexts + i;
  }
  *num = count;
  return list;
}

void rdma_free_devices(struct ibv_context **list) {
  free(list);
}

const char *ibv_get_device_name(struct ibv_device *device) {
  return wrong_layout ? "another" : device->name;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  memset(attr, 0xff, sizeof *attr);
  attr->phys_port_cnt = 2;
  attr->max_qp_wr = 1000;
  attr->max_cqe = 1600;
  attr->max_qp_rd_atom = 16;
  attr->max_qp_init_rd_atom = 128;
  return context == contexts + 1 && wrong_layout == 0 && count == 2 ? 0 : context == contexts ? 0 : -EIO;
}

#undef ibv_query_port
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
  struct ibv_port_attr *all = (struct ibv_port_attr *) attr;
  all->state = port == 2 && ports_up ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
  return 0;
}

