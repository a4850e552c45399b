// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Chunks of one side that are waited for: by the message's XID, and by the steering tags of their segments. */
final class ExposedMemory {

  private final Map<Integer, ChunkData> byXid = new HashMap<>();
  private final Map<Integer, NavigableMap<Long, ChunkData>> byPlace = new HashMap<>();
  private final MessageRoom room;

  ExposedMemory(MessageRoom room) {
    this.room = room;
  }

  /**
   * Begins to wait for a chunk. From now on data is for this chunk, if others have its tags as well, which were used
   * again. A chunk whose segments overlap is refused: each byte would have to be kept several times.
   */
  void add(ChunkData chunk) {
    remove(chunk.xid());
    if (chunk.overlaps()) {
      room.refuse();
      return;
    }
    byXid.put(chunk.xid(), chunk);
    chunk.forEachPlace((tag, address) ->
        byPlace.computeIfAbsent(tag, any -> new TreeMap<>(Long::compareUnsigned)).put(address, chunk));
    room.hold(chunk, chunk.held());
  }

  /** Ends waiting for a chunk of this memory. */
  void forget(ChunkData chunk) {
    remove(chunk.xid());
  }

  /** Ends waiting; null if there is no such chunk. */
  ChunkData remove(int xid) {
    ChunkData chunk = byXid.remove(xid);
    if (chunk != null) {
      chunk.forEachPlace((tag, address) -> {
        NavigableMap<Long, ChunkData> ofTag = byPlace.get(tag);
        if (ofTag != null && ofTag.remove(address, chunk) && ofTag.isEmpty()) {
          byPlace.remove(tag);
        }
      });
      room.hold(chunk, 0);
    }
    return chunk;
  }

  /** Ends waiting for all chunks. */
  void clear() {
    List.copyOf(byXid.keySet()).forEach(this::remove);
  }

  /** Takes data; gives the chunk that it belongs to, or null. */
  ChunkData take(int tag, long address, ByteBuffer data) {
    NavigableMap<Long, ChunkData> ofTag = byPlace.get(tag);
    Map.Entry<Long, ChunkData> place = ofTag == null ? null : ofTag.floorEntry(address);
    ChunkData chunk = place == null ? null : place.getValue();
    if (chunk != null) {
      chunk.take(tag, address, data);
      room.hold(chunk, chunk.held());
      if (chunk.held() > room.longest()) {
        room.refuse();
        remove(chunk.xid());
      }
    }
    return chunk;
  }
}
