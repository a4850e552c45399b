// SPDX-License-Identifier: Apache-2.0
/** Calls over the event bus, and over RDMA where they have to be the same. */
package dev.rpcrdma.service.eventbus;
