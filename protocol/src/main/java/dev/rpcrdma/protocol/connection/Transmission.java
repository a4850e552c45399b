package dev.rpcrdma.protocol.connection;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * RDMA Writes and the Send that follows them. The Send is posted last, so it completes last, and
 * its completion frees what the Writes used.
 */
abstract class Transmission {

  /** One RDMA Write. */
  record Write(Region source, int from, int length, int handle, long offset) {}

  /** Most messages have none, and pay nothing for those of others. */
  List<Write> writes = List.of();

  /** How many of the writes are posted. */
  int writesPosted;

  void addWrite(Write write) {
    if (writes.isEmpty()) {
      writes = new ArrayList<>(2);
    }
    writes.add(write);
  }

  /** Lays the message out, as late as possible, and returns its length. */
  abstract int encode(ByteBuffer target);

  /** The peer's tag to invalidate with the Send. */
  OptionalInt invalidate() {
    return OptionalInt.empty();
  }

  /** The Send and all Writes have completed, or will never be posted. */
  abstract void completed(boolean success);
}
