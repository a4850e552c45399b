// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

/**
 * A registration, in one domain.
 *
 * @param handle a {@code struct ibv_mr}
 * @param localKey by which this side posts it
 * @param remoteKey the steering tag; of use to the peer only with access of its own
 */
public record IbverbsRegion(long handle, int localKey, int remoteKey) {}
