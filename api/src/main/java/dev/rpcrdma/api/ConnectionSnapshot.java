// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.net.SocketAddress;
import java.time.Duration;

/**
 * What was agreed for a connection, and what went on in it.
 *
 * @param agreed what was agreed when it was made
 * @param provider that it is made with
 * @param localAddress this end's
 * @param remoteAddress the other end's
 * @param age for how long it has been up
 * @param idle for how long nothing has come from the peer
 * @param callsSent calls that this end made
 * @param callsPending of those, calls without an outcome
 * @param callsServed calls of the peer that this end answered
 * @param callsServing calls of the peer that are being executed
 * @param creditsGranted how many calls the peer lets this end have in flight
 * @param sentInline RDMA_MSG messages that this end sent
 * @param sentLong RDMA_NOMSG messages that this end sent
 * @param readChunks Read chunks, other than those at Position zero, that this end offered
 * @param positionZeroChunks Position-Zero Read chunks that this end offered
 * @param writeChunks Write chunks that this end offered and the peer filled
 * @param replyChunks Reply chunks that this end offered and the peer used
 * @param pulledReplies replies that the peer has provided and this end has pulled
 * @param providedReplies replies that this end has provided to be pulled
 * @param providedBytes of those, what is still there
 * @param bytesSent payload bytes that left this end, whatever the way
 * @param bytesReceived payload bytes that reached this end, whatever the way
 * @param exposures ranges of memory that the peer can reach now
 * @param bytesSetAside pool memory held back because the peer may still write to it
 */
public record ConnectionSnapshot(
    ConnectionAgreement agreed,
    String provider,
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Duration age,
    Duration idle,
    long callsSent,
    long callsPending,
    long callsServed,
    int callsServing,
    int creditsGranted,
    long sentInline,
    long sentLong,
    long readChunks,
    long positionZeroChunks,
    long writeChunks,
    long replyChunks,
    long pulledReplies,
    long providedReplies,
    long providedBytes,
    long bytesSent,
    long bytesReceived,
    int exposures,
    long bytesSetAside) {
}
