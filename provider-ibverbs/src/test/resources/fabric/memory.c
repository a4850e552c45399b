/* Protection domains, and memory regions with their keys. */

#define SLOTS 4096

/* By what a key begins with. */
static struct region *regions[SLOTS];
static uint32_t next_key = 1;

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  int error = begin(F_ibv_alloc_pd);
  if (error) {
    return made_end(error, NULL);
  }
  struct domain *domain = make(DOMAIN, sizeof *domain);
  domain->pd.context = context;
  return made_end(0, &domain->pd);
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
  struct domain *domain = AROUND(pd, domain, pd);
  int error = begin(F_ibv_dealloc_pd);
  if (!error && !usable(domain, DOMAIN, F_ibv_dealloc_pd)) {
    error = EINVAL;
  }
  if (!error && domain->users) {
    violation("ibv_dealloc_pd with %d users", domain->users);
    error = EBUSY;
  }
  if (!error) {
    unmake(&domain->object);
  }
  return verbs_end(error, pd && is_iwarp(pd->context));
}

static uint32_t new_key(int iwarp) {
  static uint32_t random = 0x2545f491;
  random ^= random << 13;
  random ^= random >> 17;
  random ^= random << 5;
  /* siw draws all of it, rxe counts up and draws the last byte. */
  return iwarp ? random : next_key++ << 8 | (random & 0xff);
}

static struct region *find_region(uint32_t key) {
  struct region *region = regions[key >> 8 & (SLOTS - 1)];
  while (region && region->mr.rkey != key) {
    region = region->same_slot;
  }
  return region;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
  struct domain *domain = AROUND(pd, domain, pd);
  int error = begin(F_ibv_reg_mr);
  if (!error && !usable(domain, DOMAIN, F_ibv_reg_mr)) {
    error = EINVAL;
  }
  int writes = access & IBV_ACCESS_REMOTE_WRITE && !(access & IBV_ACCESS_LOCAL_WRITE);
  if (!error && (length == 0 || writes)) {
    error = EINVAL;
  }
  if (error) {
    return made_end(error, NULL);
  }
  struct region *region = make(REGION, sizeof *region);
  region->mr.context = pd->context;
  region->mr.pd = pd;
  region->mr.addr = address;
  region->mr.length = length;
  region->access = access;
  do {
    region->mr.rkey = new_key(is_iwarp(pd->context));
  } while (find_region(region->mr.rkey));
  region->mr.lkey = region->mr.rkey;
  struct region **slot = regions + (region->mr.rkey >> 8 & (SLOTS - 1));
  region->same_slot = *slot;
  *slot = region;
  domain->users++;
  return made_end(0, &region->mr);
}

static void end_region(struct region *region) {
  struct region **slot = regions + (region->mr.rkey >> 8 & (SLOTS - 1));
  while (*slot && *slot != region) {
    slot = &(*slot)->same_slot;
  }
  if (*slot) {
    *slot = region->same_slot;
  }
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  struct region *region = AROUND(mr, region, mr);
  int error = begin(F_ibv_dereg_mr);
  if (!error && !usable(region, REGION, F_ibv_dereg_mr)) {
    error = EINVAL;
  }
  if (!error) {
    end_region(region);
    AROUND(mr->pd, domain, pd)->users--;
    unmake(&region->object);
  }
  return verbs_end(error, mr && is_iwarp(mr->context));
}

/* The region that a range is of, if it is one that may be used so. */
static struct region *allowed(struct domain *domain, uint32_t key, uint64_t address, uint32_t length, int access) {
  struct region *region = find_region(key);
  if (!region || region->mr.pd != &domain->pd || (region->access & access) != access) {
    return NULL;
  }
  uint64_t first = (uint64_t) region->mr.addr;
  return address >= first && address - first <= region->mr.length
      && length <= region->mr.length - (address - first) ? region : NULL;
}
