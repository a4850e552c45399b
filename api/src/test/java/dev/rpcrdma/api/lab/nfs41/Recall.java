// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;

/**
 * A server wants a delegation back.
 *
 * @param session whose backchannel it came over
 * @param sequence its number in that session
 * @param delegation what to return
 * @param handle of the file
 * @param credentials of the call
 */
public record Recall(byte[] session, int sequence, StateId delegation, byte[] handle,
    OpaqueAuth credentials) {}
