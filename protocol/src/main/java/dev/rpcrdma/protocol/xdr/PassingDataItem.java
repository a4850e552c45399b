package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;

/**
 * A data item inside of memory that is used for something else when its message is done with: for whoever
 * retains it, it is copied.
 */
final class PassingDataItem implements DataItem {

  private ByteBuffer bytes;
  private boolean copied;

  PassingDataItem(ByteBuffer bytes) {
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

  @Override
  public DataItem retain() {
    if (!copied) {
      bytes = ByteBuffer.wrap(toByteArray());
      copied = true;
    }
    return this;
  }
}
