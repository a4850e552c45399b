package dev.rpcrdma.api.impl;

import dev.rpcrdma.protocol.channel.ReplyCache;
import dev.rpcrdma.protocol.connection.XidSequence;
import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.Optional;

/**
 * What an end has in common for all its connections with one peer. Confined, like those, to one event
 * loop.
 *
 * @param shown the id that this end shows: a client its own, a server that of the client's session;
 *     empty if it shows none
 * @param xids of the calls to the peer
 * @param calls of the peer, with their replies
 */
record PeerMemory(Optional<InstanceId> shown, XidSequence xids, ReplyCache calls) {}
