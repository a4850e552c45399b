// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/**
 * What a connection asks of its queue pair. Each method has an answer: a post is answered by
 * {@code sendQueueCompleted} of the machine, a disconnect by {@code disconnected}, an exposure by
 * {@link ExposedRegion#ready} or {@link ExposedRegion#failed}, a revocation by {@link ExposedRegion#revoked}.
 * No answer may come from inside a method.
 */
public interface Fabric {

  /**
   * Posts a Send.
   *
   * @param id comes back in the completion
   * @param message holds the message from its beginning
   * @param length number of bytes
   */
  void postSend(long id, MessageBuffer message, int length);

  /**
   * Posts a Send With Invalidate.
   *
   * @param id comes back in the completion
   * @param message holds the message from its beginning
   * @param length number of bytes
   * @param handle the peer's steering tag to invalidate
   */
  void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle);

  /**
   * Posts an RDMA Write.
   *
   * @param id comes back in the completion
   * @param source holds the data
   * @param from first byte
   * @param length number of bytes, at least 1
   * @param handle the peer's steering tag
   * @param offset the address under that tag
   */
  void postWrite(long id, Region source, int from, int length, int handle, long offset);

  /**
   * Posts an RDMA Read.
   *
   * @param id comes back in the completion
   * @param sink where the data goes
   * @param from first byte
   * @param length number of bytes, 0 or more; a Read of nothing looks at no tag
   * @param handle the peer's steering tag
   * @param offset the address under that tag
   */
  void postRead(long id, Region sink, int from, int length, int handle, long offset);

  /**
   * How much Reads have brought so far, also those that are not complete.
   *
   * @return bytes, never less than before; always 0 if the device cannot tell
   */
  default long bytesRead() {
    return 0;
  }

  /**
   * How much of this end's memory the peer's Reads have taken so far.
   *
   * @return bytes, never less than before; always 0 if the device cannot tell
   */
  default long bytesServed() {
    return 0;
  }

  /**
   * Exposes a whole region to the peer.
   *
   * @param exposure gets the answer, and is revoked later
   * @param region what to expose
   * @param remoteWrite true if the peer may write it, false if it may read it
   */
  void expose(ExposedRegion exposure, Region region, boolean remoteWrite);

  /**
   * Ends an exposure.
   *
   * @param exposure one that is ready
   */
  void revoke(ExposedRegion exposure);

  /**
   * Ends the connection.
   *
   * @param reason for people
   */
  void disconnect(String reason);
}
