// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.wire.WireLimits;

/** Settings of a test, which says what matters to it. */
public final class TestSettings {

  private static final long SECOND = 1_000_000_000L;

  private final boolean client;
  private int outboundInline = 1024;
  private int inboundInline = 1024;
  private int requested = 1;
  private int granted = 1;
  private int sendSlots = 8;
  private int maxTransfer = Integer.MAX_VALUE;
  private int reads = 4;
  private boolean remoteInvalidation;
  private int queued = 64;
  private WireLimits limits = WireLimits.DEFAULT;
  private long setAside = 1 << 20;
  private long service = 30 * SECOND;
  private long drain = SECOND;
  private Liveness liveness = Liveness.UNLIMITED;
  private boolean emptyChunks = true;
  private LargeReplies largeReplies = LargeReplies.NONE;
  private boolean metadata;

  private TestSettings(boolean client) {
    this.client = client;
  }

  /** Of the end that connected, or of the other one. */
  public static TestSettings of(boolean client) {
    return new TestSettings(client);
  }

  public TestSettings inline(int outbound, int inbound) {
    outboundInline = outbound;
    inboundInline = inbound;
    return this;
  }

  public TestSettings credits(int thisEnd, int peer) {
    requested = thisEnd;
    granted = peer;
    return this;
  }

  public TestSettings sendSlots(int count) {
    sendSlots = count;
    return this;
  }

  public TestSettings maxTransfer(int bytes) {
    maxTransfer = bytes;
    return this;
  }

  public TestSettings reads(int count) {
    reads = count;
    return this;
  }

  public TestSettings remoteInvalidation(boolean value) {
    remoteInvalidation = value;
    return this;
  }

  public TestSettings queued(int calls) {
    queued = calls;
    return this;
  }

  public TestSettings limits(WireLimits value) {
    limits = value;
    return this;
  }

  public TestSettings setAside(long bytes) {
    setAside = bytes;
    return this;
  }

  public TestSettings times(long ofService, long ofDrain) {
    service = ofService;
    drain = ofDrain;
    return this;
  }

  public TestSettings liveness(Liveness value) {
    liveness = value;
    return this;
  }

  public TestSettings emptyChunks(boolean value) {
    emptyChunks = value;
    return this;
  }

  /** Replies that fit nowhere: whether this end pulls them, and provides its own. */
  public TestSettings largeReplies(boolean pulls, boolean provides) {
    return largeReplies(new LargeReplies(pulls, provides, false, 1 << 20, SECOND));
  }

  public TestSettings largeReplies(LargeReplies value) {
    largeReplies = value;
    return this;
  }

  public TestSettings metadata(boolean value) {
    metadata = value;
    return this;
  }

  public ConnectionSettings build() {
    return new ConnectionSettings(client, new ConnectionSettings.Inline(outboundInline, inboundInline),
        new ConnectionSettings.Credits(requested, granted), new ConnectionSettings.Posts(sendSlots, maxTransfer, reads),
        new ConnectionSettings.Peer(remoteInvalidation, emptyChunks, metadata), true, queued, limits,
        new ConnectionSettings.SetAside(SECOND, setAside), new ConnectionSettings.Times(service, drain), liveness,
        largeReplies);
  }
}
