package dev.rpcrdma.api;

/**
 * What went on in a channel, as numbers.
 *
 * @param connected whether it has a connection now
 * @param connections how many connections it has had
 * @param callsPending its calls without an outcome
 * @param replays its calls that were sent again after the loss of a connection
 */
public record ChannelSnapshot(
    boolean connected, long connections, long callsPending, long replays) {
}
