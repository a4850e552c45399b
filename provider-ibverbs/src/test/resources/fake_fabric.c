/*
 * rdma-core with an RDMA fabric inside this process: connection management, reliable queue pairs, and memory that is
 * checked. There are two devices, one that does as Linux's rxe does (RoCE), and one that does as its siw (iWARP). What
 * a caller does that it must not do is noted as a violation, and never a crash: nothing that was an object is freed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "fabric/functions.c"
#include "fabric/objects.c"
#include "fabric/types.c"
#include "fabric/memory.c"
#include "fabric/completions.c"
#include "fabric/events.c"
#include "fabric/pairs.c"
#include "fabric/engine.c"
#include "fabric/posting.c"
#include "fabric/connections.c"
#include "fabric/ends.c"
#include "fabric/devices.c"
#include "fabric/control.c"
