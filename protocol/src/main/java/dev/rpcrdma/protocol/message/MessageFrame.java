// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import java.nio.ByteBuffer;

/** What is around arguments or results: the head of the RPC message before them, and the metadata behind them. */
public interface MessageFrame {

  /**
   * How long the head is.
   *
   * @return bytes
   */
  int headLength();

  /**
   * Writes the head.
   *
   * @param target position advances by {@link #headLength()}
   */
  void writeHead(ByteBuffer target);

  /**
   * How long the metadata block is.
   *
   * @return bytes; 0 if the peer takes none
   */
  int metadataLength();

  /**
   * Writes the metadata block.
   *
   * @param target position advances by {@link #metadataLength()}
   */
  void writeMetadata(ByteBuffer target);
}
