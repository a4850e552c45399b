/* Calls each procedure of the demo's program by the stubs of rpcgen, and prints what comes back. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blobstore.h"

static CLIENT *client;

static void *called(const char *procedure, void *result) {
  if (result == NULL) {
    printf("%s\n", clnt_sperror(client, procedure));
    struct rpc_err error;
    clnt_geterr(client, &error);
    if (error.re_status != RPC_CANTDECODEARGS) {
      exit(1);
    }
  }
  return result;
}

static void failed(const char *procedure, const failure *failed) {
  printf("%s: failure %d: %s|%s\n", procedure, failed->code, failed->message, failed->debug_info);
}

/* Bytes that depend on their places. */
static unsigned sum(const char *bytes, unsigned length) {
  unsigned sum = 0;
  for (unsigned i = 0; i < length; i++) {
    sum = sum * 31 + (unsigned char) bytes[i];
  }
  return sum;
}

static void put(char *name, unsigned length) {
  put_args args = {name, {length, malloc(length + 1)}};
  for (unsigned i = 0; i < length; i++) {
    args.content.content_val[i] = (char) (i * 7 + i / 251);
  }
  put_result *result = called("put", blob_store_put_1(&args, client));
  if (result->status != 0) {
    failed("put", &result->put_result_u.failed);
  } else {
    printf("put %s: %lld, sum %08x\n", name, (long long) result->put_result_u.value,
           sum(args.content.content_val, length));
  }
  clnt_freeres(client, (xdrproc_t) xdr_put_result, (char *) result);
  free(args.content.content_val);
}

static void get(char *name) {
  get_args args = {name};
  get_result *result = called("get", blob_store_get_1(&args, client));
  if (result->status != 0) {
    failed("get", &result->get_result_u.failed);
  } else {
    unsigned length = result->get_result_u.value.value_len;
    printf("get %s: %u, sum %08x\n", name, length, sum(result->get_result_u.value.value_val, length));
  }
  clnt_freeres(client, (xdrproc_t) xdr_get_result, (char *) result);
}

static void read_part(char *name, quad_t offset, int length) {
  read_args args = {name, offset, length};
  read_result *result = called("read", blob_store_read_1(&args, client));
  if (result == NULL) {
    return;
  }
  if (result->status != 0) {
    failed("read", &result->read_result_u.failed);
  } else {
    printf("read %s:", name);
    for (unsigned i = 0; i < result->read_result_u.value.value_len; i++) {
      printf(" %02x", (unsigned char) result->read_result_u.value.value_val[i]);
    }
    printf("\n");
  }
  clnt_freeres(client, (xdrproc_t) xdr_read_result, (char *) result);
}

static void list_and_compare(char *prefix) {
  list_args args = {prefix};
  list_result *list = called("list", blob_store_list_1(&args, client));
  if (list->status != 0) {
    failed("list", &list->list_result_u.failed);
    return;
  }
  unsigned count = list->list_result_u.value.value_len;
  BlobInfo *infos = list->list_result_u.value.value_val;
  printf("list %s: %u\n", prefix, count);
  for (unsigned i = 0; i < count; i++) {
    printf("  %s %lld %.8s\n", infos[i].name, (long long) infos[i].size, infos[i].digest);
    /* A size that needs all 64 bits. */
    if (i == 0) {
      infos[i].size += 1LL << 62;
    }
  }
  differing_args expected = {{count, infos}};
  differing_result *differing = called("differing", blob_store_differing_1(&expected, client));
  if (differing->status != 0) {
    failed("differing", &differing->differing_result_u.failed);
    return;
  }
  printf("differing:");
  for (unsigned i = 0; i < differing->differing_result_u.value.value_len; i++) {
    printf(" %s", differing->differing_result_u.value.value_val[i]);
  }
  printf("\n");
  clnt_freeres(client, (xdrproc_t) xdr_differing_result, (char *) differing);
  clnt_freeres(client, (xdrproc_t) xdr_list_result, (char *) list);
}

static void read_sparse(char *name, quad_t offset, quad_t length) {
  readSparse_args args = {name, offset, length};
  readSparse_result *result = called("readSparse", blob_store_read_sparse_1(&args, client));
  if (result->status != 0) {
    failed("readSparse", &result->readSparse_result_u.failed);
  } else {
    printf("readSparse %s:", name);
    for (unsigned i = 0; i < result->readSparse_result_u.value.value_len; i++) {
      Extent *extent = &result->readSparse_result_u.value.value_val[i];
      printf(" %lld+%lld", (long long) extent->offset, (long long) extent->length);
      if (extent->data != NULL) {
        printf("(%08x)", sum(extent->data->bytes_t_val, extent->data->bytes_t_len));
      }
    }
    printf("\n");
  }
  clnt_freeres(client, (xdrproc_t) xdr_readSparse_result, (char *) result);
}

int main(int count, char **arguments) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short) atoi(arguments[count - 1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int sock = RPC_ANYSOCK;
  client = clnttcp_create(&address, BLOB_STORE, BLOB_STORE_V1, &sock, 0, 0);
  if (client == NULL) {
    printf("%s\n", clnt_spcreateerror("not connected"));
    return 1;
  }
  client->cl_auth = authunix_create("machine", 1000, 100, 0, NULL);

  called("null", blob_store_null_1(NULL, client));
  printf("null\n");
  put("empty", 0);
  put("odd", 5);
  put("Blätter", 3000);
  put("large", 200001);
  get("odd");
  get("large");
  get("none");
  read_part("large", 199998, 100);
  read_part("odd", 1LL << 40, 1);
  read_part("odd", 0, -1);
  list_and_compare("");
  list_and_compare("nothing of that name");
  read_sparse("sparse", 4096, 1LL << 50);

  struct timeval timeout = {20, 0};
  enum clnt_stat status = clnt_call(client, 99, (xdrproc_t) xdr_void, NULL, (xdrproc_t) xdr_void, NULL, timeout);
  printf("99: %s\n", clnt_sperrno(status));
  auth_destroy(client->cl_auth);
  clnt_destroy(client);
  return 0;
}
