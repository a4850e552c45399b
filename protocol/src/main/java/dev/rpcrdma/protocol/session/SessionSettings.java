// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

/**
 * What a server remembers of its clients, at most. Times are in nanoseconds.
 *
 * @param slotBits k: of each client of this library 2^k calls ({@link SessionCache})
 * @param replyBytes of each client, how much of replies
 * @param largeReplyBytes of each client of this library, how much of replies that are each larger than that
 * @param foreignCalls how many calls of all foreign clients of a host ({@link ForeignCache})
 * @param foreignNanos for how long those
 * @param mostAway how many clients without a connection
 * @param awayNanos for how long those
 */
public record SessionSettings(int slotBits, long replyBytes, long largeReplyBytes, int foreignCalls,
    long foreignNanos, int mostAway, long awayNanos) {}
