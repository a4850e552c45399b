// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.message;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Chunks of one side that are waited for: by the message's XID, and by the steering tags of their segments. */
final class ExposedMemory {

  /** A message of more is none that anybody sends, and would not fit into an array. */
  private static final long MOST_BYTES = 1L << 30;

  private final Map<Integer, ChunkData> byXid = new HashMap<>();
  private final Map<Integer, ChunkData> byTag = new HashMap<>();

  /** From now on data is for this chunk, if others have its tags as well, which were used again. */
  void add(ChunkData chunk) {
    remove(chunk.xid());
    if (chunk.length() > MOST_BYTES) {
      return;
    }
    byXid.put(chunk.xid(), chunk);
    chunk.tags().forEach(tag -> byTag.put(tag, chunk));
  }

  /** Ends waiting; null if there is no such chunk. */
  ChunkData remove(int xid) {
    ChunkData chunk = byXid.remove(xid);
    if (chunk != null) {
      chunk.tags().forEach(tag -> byTag.remove(tag, chunk));
    }
    return chunk;
  }

  /** Takes data; gives the chunk that it belongs to, or null. */
  ChunkData take(int tag, long address, ByteBuffer data) {
    ChunkData chunk = byTag.get(tag);
    if (chunk != null) {
      chunk.take(tag, address, data);
    }
    return chunk;
  }
}
