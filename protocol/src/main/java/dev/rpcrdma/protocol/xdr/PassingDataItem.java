// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;

/**
 * A data item inside of memory that is used for something else when its message is done with: for whoever
 * retains it, it is copied.
 */
final class PassingDataItem implements DataItem {

  private DataItem data;
  private boolean copied;

  PassingDataItem(DataItem lent) {
    this.data = lent;
  }

  @Override
  public int length() {
    return data.length();
  }

  @Override
  public void copyTo(ByteBuffer target) {
    data.copyTo(target);
  }

  @Override
  public ByteBuffer bytes() {
    return data.bytes();
  }

  /** Returns whether the bytes have been copied to the heap. */
  boolean isCopied() {
    return copied;
  }

  @Override
  public boolean tryRetain() {
    if (!copied) {
      data = DataItem.of(toByteArray());
      copied = true;
    }
    return true;
  }
}
