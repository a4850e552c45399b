// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/** What went through a connection, counted where it happens. */
public final class Counters {

  public long callsSent;
  public long callsServed;
  public long sentInline;
  public long sentLong;
  public long readChunks;
  public long positionZeroChunks;
  public long writeChunks;
  public long replyChunks;
  public long bytesSent;
  public long bytesReceived;
  public long discarded;

  public long pulledReplies;
  public long providedReplies;
  public long providedBytes;
  public long congestedReplies;
  public long repliesNotPulled;

  public Counters() {}

  /**
   * Calls that this end sent.
   *
   * @return a count
   */
  public long callsSent() {
    return callsSent;
  }

  /**
   * Calls of the peer that this end answered.
   *
   * @return a count
   */
  public long callsServed() {
    return callsServed;
  }

  /**
   * RDMA_MSG messages that this end sent.
   *
   * @return a count
   */
  public long sentInline() {
    return sentInline;
  }

  /**
   * RDMA_NOMSG messages that this end sent.
   *
   * @return a count
   */
  public long sentLong() {
    return sentLong;
  }

  /**
   * Read chunks that this end's calls offered, without those at Position zero.
   *
   * @return a count
   */
  public long readChunks() {
    return readChunks;
  }

  /**
   * Position-Zero Read chunks that this end's calls offered.
   *
   * @return a count
   */
  public long positionZeroChunks() {
    return positionZeroChunks;
  }

  /**
   * Write chunks of this end's calls that the peer filled.
   *
   * @return a count
   */
  public long writeChunks() {
    return writeChunks;
  }

  /**
   * Reply chunks of this end's calls that the peer used.
   *
   * @return a count
   */
  public long replyChunks() {
    return replyChunks;
  }

  /**
   * Replies to this end's calls that it pulled.
   *
   * @return a count
   */
  public long pulledReplies() {
    return pulledReplies;
  }

  /**
   * Replies that this end provided to be pulled.
   *
   * @return a count
   */
  public long providedReplies() {
    return providedReplies;
  }

  /**
   * What of them is still there to be pulled.
   *
   * @return bytes
   */
  public long providedBytes() {
    return providedBytes;
  }

  /**
   * Replies that had to wait until others were pulled, before they could be provided.
   *
   * @return a count
   */
  public long congestedReplies() {
    return congestedReplies;
  }

  /**
   * Provided replies whose requesters did not say in time that they have pulled them.
   *
   * @return a count
   */
  public long repliesNotPulled() {
    return repliesNotPulled;
  }

  /**
   * Payload bytes that left this end, inline or by chunk.
   *
   * @return bytes
   */
  public long bytesSent() {
    return bytesSent;
  }

  /**
   * Payload bytes that reached this end, inline or by chunk.
   *
   * @return bytes
   */
  public long bytesReceived() {
    return bytesReceived;
  }

  /**
   * Messages that were discarded in silence: cut short, of no known call, out of place, or dropped by an authenticator.
   *
   * @return a count
   */
  public long discarded() {
    return discarded;
  }
}
