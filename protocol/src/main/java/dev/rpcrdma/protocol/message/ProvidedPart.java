// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A part of a Payload stream that is provided to be pulled: one segment. */
public sealed interface ProvidedPart {

  /**
   * What is laid out in memory of the pool.
   *
   * @param length in bytes, at least 1
   * @param source writes them, once
   */
  record Copied(int length, Consumer<ByteBuffer> source) implements ProvidedPart {}

  /**
   * What is read where it is.
   *
   * @param data without padding, at least 1 byte
   */
  record InPlace(DataItem data) implements ProvidedPart {}
}
