// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.Credits;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.Inline;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.Peer;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.Posts;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.SetAside;
import dev.rpcrdma.protocol.fabric.ConnectionSettings.Times;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.wire.WireLimits;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceAttributes;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Turns options, what the device can do, and what the peer said into what holds for a connection
 * (RFC 8797, RFC 8166 §3.3).
 */
final class Negotiation {

  /** How deep RDMA Reads may be outstanding, either way; what Linux servers use. */
  private static final int READS = 16;

  private final RpcOptions<?> options;
  private final boolean client;
  private final Optional<SessionBlock> shown;
  private final DeviceAttributes attributes;
  private final int peersReads;

  /**
   * Begins.
   *
   * @param client whether this end is the one that connects
   * @param shown what it shows to the other of itself; empty to foreign clients
   * @param peersReads how many Reads the peer serves at a time, if it has said so
   */
  Negotiation(RpcOptions<?> options, boolean client, Optional<SessionBlock> shown,
      DeviceAttributes attributes, OptionalInt peersReads) {
    this.options = options;
    this.client = client;
    this.shown = shown;
    this.attributes = attributes;
    this.peersReads = peersReads.orElse(READS);
  }

  boolean client() {
    return client;
  }

  int creditsRequested() {
    return client ? options.getForwardCredits() : options.getReverseCredits();
  }

  int creditsGranted() {
    return client ? options.getReverseCredits() : options.getForwardCredits();
  }

  int receives() {
    return ConnectionSettings.receives(creditsRequested(), creditsGranted(), features().providesReplies(),
        options.isMetadata());
  }

  /** What this end shows of what it can do; pulling and being pulled from take Reads of the one and the other. */
  private Features features() {
    return new Features(options.isPullReplies() && outboundReads() > 0 && peersReads > 0,
        options.isProvideReplies() && attributes.maxInboundReads() > 0, attributes.remotelyInvalidatable(),
        options.isMetadata());
  }

  /** Whether the peer provides replies and believes that this end pulls them, and there are no Reads to do it by. */
  boolean cannotPull(PeerPrivateData said, int outboundReads) {
    return outboundReads == 0 && features().pullsReplies()
        && said.session().map(block -> block.features().providesReplies()).orElse(false);
  }

  /** How many messages there has to be memory for that come at once. */
  int receiveSlots() {
    return attributes.serialReceives() ? 1 : receives();
  }

  /** As many Sends and Writes as there can be calls and replies; more wait their turn. */
  int sendSlots() {
    return Math.min(creditsRequested() + creditsGranted() + 1, attributes.maxSendQueueDepth() - outboundReads());
  }

  private int outboundReads() {
    return Math.min(READS, attributes.maxOutboundReads());
  }

  int inlineSize() {
    return options.getInlineSize();
  }

  ConnectionOptions connectionOptions() {
    Buffer privateData = Buffer.buffer(new CmPrivateData(attributes.remotelyInvalidatable(),
        inlineSize(), inlineSize()).toByteArray());
    shown.ifPresent(block -> privateData.appendBytes(block.with(features()).toByteArray()));
    return new ConnectionOptions(sendSlots() + outboundReads(), receives(), outboundReads(),
        Math.min(READS, attributes.maxInboundReads()), privateData, options.getConnectTimeout());
  }

  /** What holds while nothing is known of the peer. */
  ConnectionSettings initial() {
    return settings(CmPrivateData.SILENT, 0, client, false, Features.NONE);
  }

  /** What a peer says by its private data, as far as it can be understood. */
  static PeerPrivateData said(Buffer privateData) {
    byte[] bytes = privateData.getBytes();
    return new PeerPrivateData(bytes.length, CmPrivateData.find(bytes), SessionBlock.find(bytes));
  }

  /** What holds with a peer that has said this. */
  ConnectionSettings agreed(PeerPrivateData said, int outboundReads) {
    // C-01: clients of others may take nothing but short messages in the reverse direction, as Linux does.
    boolean chunks = client || said.session().isPresent();
    return settings(said.sizes().orElse(CmPrivateData.SILENT), outboundReads, chunks,
        said.session().isPresent(), said.session().map(SessionBlock::features).orElse(Features.NONE));
  }

  /** each direction for itself, if the one can and the other can too. */
  private LargeReplies largeReplies(Features peer, int outboundReads) {
    return new LargeReplies(features().pullsReplies() && peer.providesReplies() && outboundReads > 0,
        features().providesReplies() && peer.pullsReplies(),
        // R-273, draft reliable-reply §4.1.4: RDMA_DONE invalidates only if both ends have set the flag.
        features().doneInvalidates() && peer.doneInvalidates(),
        options.getMaxProvidedBytes(), nanos(options.getServiceTimeout()));
  }

  private ConnectionSettings settings(CmPrivateData peer, int outboundReads, boolean chunks,
      boolean emptyChunks, Features features) {
    return new ConnectionSettings(client,
        new Inline(Math.min(inlineSize(), peer.receiveSize()), Math.min(peer.sendSize(), inlineSize())),
        new Credits(creditsRequested(), creditsGranted()),
        new Posts(sendSlots(), attributes.maxMessageSize(), outboundReads),
        // RFC 8797 §4.1: replies invalidate only if both ends have set R.
        new Peer(peer.remoteInvalidation() && attributes.remotelyInvalidatable(), emptyChunks,
            options.isMetadata() && features.metadata()),
        chunks, options.getMaxQueuedCalls(),
        new WireLimits(options.getMaxSegments(), options.getMaxChunkBytes(),
            options.getMaxChunkBytes(), options.getMaxReadBytesInFlight()),
        new SetAside(nanos(options.getSetAsideTime()), options.getMaxSetAside()),
        new Times(nanos(options.getServiceTimeout()), nanos(options.getDrainTimeout())),
        new Liveness(nanos(options.getKeepAliveTime()), nanos(options.getKeepAliveTimeout())),
        largeReplies(features, outboundReads));
  }

  private static long nanos(Duration duration) {
    return duration.toNanos();
  }
}
