// SPDX-License-Identifier: Apache-2.0
/** Calls over other means than RDMA: how they are made and served alike, whatever carries them. */
package dev.rpcrdma.api.impl.transport;
