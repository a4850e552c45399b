// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;

/** A data item in memory that the garbage collector looks after. */
final class HeapDataItem implements DataItem {

  private final ByteBuffer bytes;

  HeapDataItem(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  @Override
  public int length() {
    return bytes.remaining();
  }

  @Override
  public void copyTo(ByteBuffer target) {
    target.put(bytes.duplicate());
  }

  @Override
  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }
}
