// SPDX-License-Identifier: Apache-2.0
/** The RDMA devices of this host, and what each can do. */
package dev.rpcrdma.ibverbs.device;
