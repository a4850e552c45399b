// SPDX-License-Identifier: Apache-2.0
/**
 * The provider {@code ibverbs}: RDMA devices of the Linux kernel, driven through libibverbs and librdmacm of rdma-core.
 */
package dev.rpcrdma.ibverbs;
