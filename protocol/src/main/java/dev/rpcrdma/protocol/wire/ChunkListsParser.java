// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.fault.FaultException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads chunk lists that come from a stranger. Nothing is allocated before the bytes for it are
 * known to be there, and all sums are made in 64 bits: lengths wrap, and counts lie (B-060, B-071).
 */
final class ChunkListsParser {

  private final ByteBuffer source;
  private final WireLimits limits;
  private int segments;
  private long readBytes;

  ChunkListsParser(ByteBuffer source, WireLimits limits) {
    this.source = source;
    this.limits = limits;
  }

  ChunkLists parse() throws FaultException {
    List<ReadChunk> readChunks = readList();
    List<Chunk> writeChunks = writeList();
    Optional<Chunk> replyChunk = present() ? Optional.of(chunk()) : Optional.empty();
    return new ChunkLists(readChunks, writeChunks, replyChunk);
  }

  private List<ReadChunk> readList() throws FaultException {
    // segments of equal Position belong together in list order, wherever they stand.
    Map<Integer, List<Segment>> byPosition = new TreeMap<>();
    while (present()) {
      int position = word();
      if (position < 0 || (position & 3) != 0) {
        throw new FaultException(Fault.BAD_POSITION,
            "A Read chunk has Position " + Integer.toUnsignedString(position));
      }
      byPosition.computeIfAbsent(position, p -> new ArrayList<>(1)).add(segment());
    }
    List<ReadChunk> chunks = new ArrayList<>(byPosition.size());
    for (Map.Entry<Integer, List<Segment>> entry : byPosition.entrySet()) {
      ReadChunk chunk = new ReadChunk(entry.getKey(), entry.getValue());
      checkBytes(chunk.length());
      readBytes += chunk.length();
      if (readBytes > limits.readBytes()) {
        throw new FaultException(Fault.UNREASONABLE_CHUNKS,
            "Read chunks of more than " + limits.readBytes() + " bytes");
      }
      chunks.add(chunk);
    }
    return chunks;
  }

  private List<Chunk> writeList() throws FaultException {
    List<Chunk> chunks = new ArrayList<>(1);
    while (present()) {
      chunks.add(chunk());
    }
    return chunks;
  }

  private Chunk chunk() throws FaultException {
    int count = word();
    // Before anything is allocated for them (B-061, B-071).
    if (Integer.compareUnsigned(count, source.remaining() / Segment.ENCODED_LENGTH) > 0) {
      throw new FaultException(Fault.BAD_HEADER, "A chunk of " + Integer.toUnsignedString(count)
          + " segments does not fit into the message");
    }
    List<Segment> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(segment());
    }
    Chunk chunk = new Chunk(list);
    checkBytes(chunk.length());
    return chunk;
  }

  private Segment segment() throws FaultException {
    if (++segments > limits.segments()) {
      throw new FaultException(Fault.UNREASONABLE_CHUNKS,
          "More than " + limits.segments() + " segments");
    }
    need(Segment.ENCODED_LENGTH);
    return Segment.read(source);
  }

  private void checkBytes(long bytes) throws FaultException {
    if (bytes > limits.chunkBytes()) {
      throw new FaultException(Fault.UNREASONABLE_CHUNKS,
          "A chunk of " + bytes + " bytes; " + limits.chunkBytes() + " are accepted");
    }
  }

  private boolean present() throws FaultException {
    int discriminator = word();
    if (discriminator != 0 && discriminator != 1) {
      throw new FaultException(Fault.BAD_HEADER, "A list discriminator is "
          + Integer.toUnsignedString(discriminator));
    }
    return discriminator == 1;
  }

  private int word() throws FaultException {
    need(4);
    return source.getInt();
  }

  private void need(int count) throws FaultException {
    if (source.remaining() < count) {
      throw new FaultException(Fault.BAD_HEADER, "The chunk lists are cut short");
    }
  }
}
