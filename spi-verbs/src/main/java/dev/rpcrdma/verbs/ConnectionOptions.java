package dev.rpcrdma.verbs;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Objects;

/**
 * What a consumer wants of a connection, on either side.
 *
 * @param sendQueueDepth how many Sends, Writes and Reads may be posted and not completed; at least 1
 * @param receiveQueueDepth how many Receives may be posted and not completed; at least 1
 * @param outboundReads ORD wanted; the provider lowers it to what the peer offers, see
 *     {@link QueuePair#outboundReads()}
 * @param inboundReads IRD offered to the peer
 * @param privateData sent to the peer with the connect or accept; never null
 * @param timeout how long connecting or accepting may take in all
 */
public record ConnectionOptions(
    int sendQueueDepth,
    int receiveQueueDepth,
    int outboundReads,
    int inboundReads,
    Buffer privateData,
    Duration timeout) {

  /** Depths of 128, 16 Reads each way, no private data, ten seconds. */
  public static final ConnectionOptions DEFAULT = new ConnectionOptions(
      128, 128, 16, 16, Buffer.buffer(), Duration.ofSeconds(10));

  /** Checks ranges that hold for every device; a device's own limits are checked when used. */
  public ConnectionOptions {
    Objects.requireNonNull(privateData, "privateData");
    if (sendQueueDepth < 1 || receiveQueueDepth < 1) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "Queue depths must be at least 1");
    }
    if (outboundReads < 0 || inboundReads < 0) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "Read depths must not be negative");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The connection timeout must be positive");
    }
  }

  /**
   * These options with other queue depths.
   *
   * @param send the send queue's depth
   * @param receive the receive queue's depth
   * @return a copy
   */
  public ConnectionOptions withQueueDepths(int send, int receive) {
    return new ConnectionOptions(send, receive, outboundReads, inboundReads, privateData, timeout);
  }

  /**
   * These options with other Read depths.
   *
   * @param outbound ORD
   * @param inbound IRD
   * @return a copy
   */
  public ConnectionOptions withReads(int outbound, int inbound) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outbound, inbound, privateData,
        timeout);
  }

  /**
   * These options with other private data.
   *
   * @param data the private data
   * @return a copy
   */
  public ConnectionOptions withPrivateData(Buffer data) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads,
        data, timeout);
  }

  /**
   * These options with another deadline.
   *
   * @param value how long connecting may take
   * @return a copy
   */
  public ConnectionOptions withTimeout(Duration value) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads,
        privateData, value);
  }
}
