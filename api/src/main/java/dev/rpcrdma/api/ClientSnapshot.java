// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.Optional;

/**
 * A client that a server remembers.
 *
 * @param instance which channel it is; empty for all clients of a host that are not of this library
 * @param connections how many it has now, those that are just made included; 0 also for clients not of this library
 * @param callsRemembered its calls that the server would know again
 * @param replyBytes results that are kept for them
 * @param largeReplyBytes results of large replies that it has not pulled yet
 * @param callsPending calls to it without an outcome
 */
public record ClientSnapshot(Optional<InstanceId> instance, int connections, int callsRemembered, long replyBytes,
    long largeReplyBytes, int callsPending) {
}
