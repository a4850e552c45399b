package dev.rpcrdma.api;

import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What went on in a channel.
 *
 * @param address of the server
 * @param provider that its connection is made with; empty without one
 * @param connected whether it has a connection now
 * @param since for how long it has had one, or none
 * @param lastFailure why the last attempt to connect failed, or the last connection ended; empty if neither
 *     has happened
 * @param connections how many connections it has had
 * @param callsPending its calls without an outcome
 * @param callsWaiting those of them that wait for a connection
 * @param replays its calls that were sent again after the loss of a connection
 * @param fallbacks how often it has gone on with another provider, since one had failed
 */
public record ChannelSnapshot(
    SocketAddress address, Optional<String> provider, boolean connected, Duration since,
    Optional<String> lastFailure, long connections, long callsPending, long callsWaiting, long replays,
    long fallbacks) {
}
