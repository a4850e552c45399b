// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a consumer wants of a connection, on either side.
 *
 * @param sendQueueDepth how many Sends, Writes and Reads may be posted and not completed; at least 1
 * @param receiveQueueDepth how many Receives may be posted and not completed; at least 1
 * @param outboundReads ORD wanted; the provider lowers it to what the peer offers, see
 *     {@link QueuePair#outboundReads()}
 * @param inboundReads IRD offered to the peer
 * @param privateData sent to the peer with the connect or accept; never null
 * @param timeout how long connecting or accepting may take in all; of more than a hundred years, a hundred years
 * @param tls what a connect is secured by; empty for none. A device without TLS refuses it, and never connects in
 *     plaintext instead. For accepting there is {@link ListenOptions#tls}
 */
public record ConnectionOptions(
    int sendQueueDepth,
    int receiveQueueDepth,
    int outboundReads,
    int inboundReads,
    Buffer privateData,
    Duration timeout,
    Optional<ClientTls> tls) {

  /** Longer ones are no numbers of milliseconds, or none that a timer takes. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Depths of 128, 16 Reads each way, no private data, ten seconds, no TLS. */
  public static final ConnectionOptions DEFAULT = new ConnectionOptions(
      128, 128, 16, 16, Buffer.buffer(), Duration.ofSeconds(10));

  /**
   * Options without TLS.
   *
   * @param sendQueueDepth see above
   * @param receiveQueueDepth see above
   * @param outboundReads see above
   * @param inboundReads see above
   * @param privateData see above
   * @param timeout see above
   */
  public ConnectionOptions(int sendQueueDepth, int receiveQueueDepth, int outboundReads, int inboundReads,
      Buffer privateData, Duration timeout) {
    this(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads, privateData, timeout, Optional.empty());
  }

  /** Checks ranges that hold for every device; a device's own limits are checked when used. */
  public ConnectionOptions {
    Objects.requireNonNull(privateData, "privateData");
    Objects.requireNonNull(tls, "tls");
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
    timeout = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
  }

  /**
   * These options with other queue depths.
   *
   * @param send the send queue's depth
   * @param receive the receive queue's depth
   * @return a copy
   */
  public ConnectionOptions withQueueDepths(int send, int receive) {
    return new ConnectionOptions(send, receive, outboundReads, inboundReads, privateData, timeout,
        tls);
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
        timeout, tls);
  }

  /**
   * These options with other private data.
   *
   * @param data the private data
   * @return a copy
   */
  public ConnectionOptions withPrivateData(Buffer data) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads,
        data, timeout, tls);
  }

  /**
   * These options with another deadline.
   *
   * @param value how long connecting may take
   * @return a copy
   */
  public ConnectionOptions withTimeout(Duration value) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads,
        privateData, value, tls);
  }

  /**
   * These options with TLS.
   *
   * @param value what a connect is secured by
   * @return a copy
   */
  public ConnectionOptions withTls(ClientTls value) {
    return new ConnectionOptions(sendQueueDepth, receiveQueueDepth, outboundReads, inboundReads,
        privateData, timeout, Optional.of(value));
  }
}
