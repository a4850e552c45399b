/* rdma-core's registrations, counted. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdlib.h>

static int domains;
static int regions;
static int limit;
static int shift;
static int error;
static uint32_t keys;

void fake_limits(int most, int shifted, int refused) {
  limit = most;
  shift = shifted;
  error = refused;
}

int fake_domains(void) {
  return domains;
}

int fake_regions(void) {
  return regions;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  if (error) {
    errno = error;
    return NULL;
  }
  domains++;
  return calloc(1, sizeof(struct ibv_pd));
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
  if (regions) {
    return EBUSY;
  }
  domains--;
  free(pd);
  return 0;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access) {
  if (regions >= limit) {
    errno = ENOMEM;
    return NULL;
  }
  struct ibv_mr *mr = calloc(1, sizeof *mr);
  mr->pd = pd;
  mr->addr = (char *) addr + shift;
  mr->length = length;
  mr->lkey = 0x80000000u + keys++;
  mr->rkey = access;
  regions++;
  return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  if (error) {
    return -error;
  }
  regions--;
  free(mr);
  return 0;
}
