// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.List;

/**
 * What a device can do. All values hold for as long as it is open.
 *
 * <p>Providers make one by {@link #builder()}: more is going to be asked of devices, and what a provider does not
 * say promises the least.
 *
 * @param maxSendQueueDepth most Sends, Writes and Reads posted and not completed, per queue pair
 * @param maxReceiveQueueDepth most Receives posted and not completed, per queue pair
 * @param maxMessageSize most bytes of one Send, Write or Read, at least 1 MiB; a longer one is refused when
 *     it is posted
 * @param maxInlineData longest Send in bytes whose buffer the device may copy when it is posted;
 *     informational: the buffer belongs to the provider until completion all the same
 * @param maxOutboundReads ORD: most RDMA Reads that a queue pair may have outstanding; what a
 *     connection got is in {@link QueuePair#outboundReads()}
 * @param maxInboundReads IRD: most RDMA Reads that a peer may have outstanding
 * @param readsNegotiated true if a connection gets no more outbound Reads than its peer takes; false if each
 *     end gets what it asked for, and has to ask for no more than its peer takes
 * @param connectPrivateData longest private data of a connect, in bytes; at least 56
 * @param acceptPrivateData longest private data of an accept, in bytes; at least 56
 * @param rejectPrivateData longest private data of a reject, in bytes; at least 56
 * @param privateDataPadded true if received private data may be followed by zeros up to a length
 *     that the fabric fixes
 * @param remotelyInvalidatable true if a peer's Send With Invalidate may name exposures of this
 *     device
 * @param promptRevocation true if a revocation takes effect at once, and a Read that is being served ends with the
 *     connection; false if it waits until no operation of the peer is under way in that memory, or the connection
 *     has ended. Either way the peer reaches nothing once the revocation is told
 * @param readRightsChecked true if a Read of what is exposed for Writes alone is refused; false if it brings what is
 *     there
 * @param emptyReadsServed true if Reads of no bytes are served rightly at any time; false if only while this device
 *     sends nothing else
 * @param serialReceives true if nothing of a message is placed before the upcall for the one before it is over:
 *     Receives of one queue pair may share their memory then
 * @param tls true if connections can be beneath TLS ({@link ConnectionOptions#tls}, {@link ListenOptions#tls}); false
 *     if both are refused with {@link VerbsException.Kind#UNSUPPORTED}
 * @param hosts addresses of this machine by which others on it reach what listens on the device; empty if unknown
 */
public record DeviceAttributes(
    int maxSendQueueDepth,
    int maxReceiveQueueDepth,
    int maxMessageSize,
    int maxInlineData,
    int maxOutboundReads,
    int maxInboundReads,
    boolean readsNegotiated,
    int connectPrivateData,
    int acceptPrivateData,
    int rejectPrivateData,
    boolean privateDataPadded,
    boolean remotelyInvalidatable,
    boolean promptRevocation,
    boolean readRightsChecked,
    boolean emptyReadsServed,
    boolean serialReceives,
    boolean tls,
    List<String> hosts) {

  /** Checks the ranges. */
  public DeviceAttributes {
    if (maxMessageSize < 1 << 20 || connectPrivateData < 56 || acceptPrivateData < 56 || rejectPrivateData < 56) {
      throw new IllegalArgumentException("A device takes messages of 1 MiB, and private data of 56 bytes");
    }
    hosts = List.copyOf(hosts);
  }

  /**
   * Begins with what every device can do.
   *
   * @return a builder with the least values
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A copy that makes no promise of serial Receives, for who delivers later than the device does.
   *
   * @return the same but for that
   */
  public DeviceAttributes withoutSerialReceives() {
    return new DeviceAttributes(maxSendQueueDepth, maxReceiveQueueDepth, maxMessageSize, maxInlineData,
        maxOutboundReads, maxInboundReads, readsNegotiated, connectPrivateData, acceptPrivateData,
        rejectPrivateData, privateDataPadded, remotelyInvalidatable, promptRevocation, readRightsChecked,
        emptyReadsServed, false, tls, hosts);
  }

  /** Collects what a device can do; each method sets the component of its name. */
  public static final class Builder {

    private int maxSendQueueDepth = 16;
    private int maxReceiveQueueDepth = 16;
    private int maxMessageSize = 1 << 20;
    private int maxInlineData;
    private int maxOutboundReads;
    private int maxInboundReads;
    private boolean readsNegotiated;
    private int connectPrivateData = 56;
    private int acceptPrivateData = 56;
    private int rejectPrivateData = 56;
    private boolean privateDataPadded;
    private boolean remotelyInvalidatable;
    private boolean promptRevocation;
    private boolean readRightsChecked;
    private boolean emptyReadsServed;
    private boolean serialReceives;
    private boolean tls;
    private List<String> hosts = List.of();

    private Builder() {}

    /**
     * Sets {@link DeviceAttributes#maxSendQueueDepth}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxSendQueueDepth(int value) {
      maxSendQueueDepth = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#maxReceiveQueueDepth}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxReceiveQueueDepth(int value) {
      maxReceiveQueueDepth = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#maxMessageSize}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxMessageSize(int value) {
      maxMessageSize = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#maxInlineData}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxInlineData(int value) {
      maxInlineData = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#maxOutboundReads}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxOutboundReads(int value) {
      maxOutboundReads = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#maxInboundReads}.
     *
     * @param value as there
     * @return this
     */
    public Builder maxInboundReads(int value) {
      maxInboundReads = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#readsNegotiated}.
     *
     * @param value as there
     * @return this
     */
    public Builder readsNegotiated(boolean value) {
      readsNegotiated = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#connectPrivateData}.
     *
     * @param value as there
     * @return this
     */
    public Builder connectPrivateData(int value) {
      connectPrivateData = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#acceptPrivateData}.
     *
     * @param value as there
     * @return this
     */
    public Builder acceptPrivateData(int value) {
      acceptPrivateData = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#rejectPrivateData}.
     *
     * @param value as there
     * @return this
     */
    public Builder rejectPrivateData(int value) {
      rejectPrivateData = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#privateDataPadded}.
     *
     * @param value as there
     * @return this
     */
    public Builder privateDataPadded(boolean value) {
      privateDataPadded = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#remotelyInvalidatable}.
     *
     * @param value as there
     * @return this
     */
    public Builder remotelyInvalidatable(boolean value) {
      remotelyInvalidatable = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#promptRevocation}.
     *
     * @param value as there
     * @return this
     */
    public Builder promptRevocation(boolean value) {
      promptRevocation = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#readRightsChecked}.
     *
     * @param value as there
     * @return this
     */
    public Builder readRightsChecked(boolean value) {
      readRightsChecked = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#emptyReadsServed}.
     *
     * @param value as there
     * @return this
     */
    public Builder emptyReadsServed(boolean value) {
      emptyReadsServed = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#serialReceives}.
     *
     * @param value as there
     * @return this
     */
    public Builder serialReceives(boolean value) {
      serialReceives = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#tls}.
     *
     * @param value as there
     * @return this
     */
    public Builder tls(boolean value) {
      tls = value;
      return this;
    }

    /**
     * Sets {@link DeviceAttributes#hosts}.
     *
     * @param value as there
     * @return this
     */
    public Builder hosts(List<String> value) {
      hosts = value;
      return this;
    }

    /**
     * Ends collecting.
     *
     * @return the attributes
     */
    public DeviceAttributes build() {
      return new DeviceAttributes(maxSendQueueDepth, maxReceiveQueueDepth, maxMessageSize, maxInlineData,
          maxOutboundReads, maxInboundReads, readsNegotiated, connectPrivateData, acceptPrivateData,
          rejectPrivateData, privateDataPadded, remotelyInvalidatable, promptRevocation, readRightsChecked,
          emptyReadsServed, serialReceives, tls, hosts);
    }
  }
}
