// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Exposures;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.message.ExposedChunk.Kind;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All chunks of one call, or of a reply that is provided: gets their memory, exposes it, and puts up the fence.
 *
 * <p>Preparing ends with one call of the listener, when every chunk is exposed or has failed; until
 * then nothing may be revoked. After it, {@link #whenEnded} may be used any number of times.
 */
public final class MessageChunks {

  /** One XDR unit. */
  private static final int LEAST_ROOM = 4;

  /** Something to do when certain chunks have ended. */
  private record Fence(Predicate<ExposedChunk> which, Runnable action) {}

  /** Those of the many calls that offer none: nothing of it ever changes. */
  public static final MessageChunks NONE = new MessageChunks(null, null);

  private final Memory memory;
  private final Exposures exposures;
  private List<ExposedChunk> chunks = List.of();
  private List<Fence> fences = List.of();
  private Consumer<Optional<String>> prepared;
  private int preparing = 1;
  private String failure;
  private boolean stopped;

  public MessageChunks(Memory memory, Exposures exposures) {
    this.memory = memory;
    this.exposures = exposures;
  }

  /**
   * Gets and exposes what a plan needs.
   *
   * @param frame of the call
   * @param arguments of the call
   * @param results room for those that may be placed
   * @param listener hears once: empty if all went well, else why not
   */
  public void prepare(CallPlan plan, MessageFrame frame, PayloadStream arguments, List<? extends ResultRoom> results,
      ConnectionSettings settings, Consumer<Optional<String>> listener) {
    prepared = listener;
    int headLength = frame.headLength();
    if (plan.longCall()) {
      preparePositionZero(plan, frame, arguments);
    }
    if (plan.reduceArguments()) {
      for (PayloadStream.Item item : arguments.items()) {
        if (item.data().length() > 0) {
          // the Position counts from the beginning of the RPC message.
          regionOf(item.data(), offer(Kind.ITEM, headLength + item.position()));
        }
      }
    }
    if (plan.placeResults()) {
      prepareWriteChunks(results, settings);
    }
    if (plan.replyChunkLength() > 0) {
      memory.allocate(plan.replyChunkLength(), offer(Kind.REPLY, 0));
    }
    prepared(null);
  }

  /**
   * Gets and exposes the memory of a reply that is provided to be pulled: to be read, never written.
   *
   * @param parts of its Payload stream, in order
   * @param listener hears once: empty if all went well, else why not
   */
  public void provide(List<ProvidedPart> parts, Consumer<Optional<String>> listener) {
    prepared = listener;
    for (ProvidedPart part : parts) {
      ExposedChunk segment = offer(Kind.POSITION_ZERO, 0);
      if (part instanceof ProvidedPart.Copied copied) {
        memory.allocateFilled(copied.length(), copied.source(), segment);
      } else if (part instanceof ProvidedPart.InPlace inPlace) {
        regionOf(inPlace.data(), segment);
      }
    }
    prepared(null);
  }

  private void preparePositionZero(CallPlan plan, MessageFrame frame, PayloadStream arguments) {
    ExposedChunk chunk = offer(Kind.POSITION_ZERO, 0);
    // Head and metadata are this transmission's: when the memory comes, the call may be on another connection.
    ByteBuffer head = ByteBuffer.allocate(frame.headLength());
    frame.writeHead(head);
    ByteBuffer metadata = ByteBuffer.allocate(frame.metadataLength());
    frame.writeMetadata(metadata);
    int length = head.capacity() + (int) arguments.length(index -> reduced(plan, arguments, index))
        + metadata.capacity();
    memory.allocateFilled(length, target -> {
      target.put(head.flip());
      arguments.copyTo(target, index -> reduced(plan, arguments, index));
      target.put(metadata.flip());
    }, chunk);
  }

  /**
   * How much room to offer for a result. One that can have no bytes needs none, but its chunk keeps the
   * place of those behind it, and foreign servers take none without a segment (C-16).
   */
  public static int room(ResultRoom result, ConnectionSettings settings) {
    return result.maxLength() > 0 || settings.emptyChunks() ? result.maxLength() : LEAST_ROOM;
  }

  private void prepareWriteChunks(List<? extends ResultRoom> results,
      ConnectionSettings settings) {
    for (int i = 0; i < results.size(); i++) {
      ResultRoom result = results.get(i);
      ExposedChunk chunk = offer(Kind.WRITE, i);
      int room = room(result, settings);
      if (room == 0) {
        // Without memory, and so without segments: its result is inline, or nothing.
        prepared(null);
      } else if (result.target().isPresent() && result.maxLength() > 0) {
        regionOf(result.target().get(), chunk);
      } else {
        memory.allocate(room, chunk);
      }
    }
  }

  /** Memory of the application, which may have released it since it made the call. */
  private void regionOf(DataItem item, ExposedChunk chunk) {
    try {
      memory.regionOf(item, chunk);
    } catch (IllegalStateException e) {
      chunk.failed(e.getMessage());
    }
  }

  /**
   * The call is given up: memory that is still to come is not exposed.
   *
   * @param listener hears in place of the first one
   */
  public void stopPreparing(Consumer<Optional<String>> listener) {
    stopped = true;
    prepared = listener;
  }

  /** Nobody needs any of it: what is still to come is freed when it comes. */
  public void abandon() {
    stopPreparing(problem -> freeWhenEnded());
  }

  boolean stopped() {
    return stopped;
  }

  /** Whether some of the memory is the application's. */
  public boolean holdApplicationMemory() {
    return chunks.stream().anyMatch(ExposedChunk::ofApplication);
  }

  /** Whether a plan takes an item out of the stream. */
  public static boolean reduced(CallPlan plan, PayloadStream arguments, int index) {
    return plan.reduceArguments() && arguments.items().get(index).data().length() > 0;
  }

  private ExposedChunk offer(Kind kind, int place) {
    ExposedChunk chunk = new ExposedChunk(this, exposures, kind, place);
    if (chunks.isEmpty()) {
      chunks = new ArrayList<>(2);
    }
    chunks.add(chunk);
    preparing++;
    return chunk;
  }

  /** One chunk is exposed, or has failed for a reason. */
  void prepared(String reason) {
    if (failure == null) {
      failure = reason;
    }
    if (--preparing == 0) {
      Consumer<Optional<String>> told = prepared;
      // A call that is given up later is nobody's any more.
      prepared = null;
      told.accept(Optional.ofNullable(failure));
    }
  }

  public boolean isEmpty() {
    return chunks.isEmpty();
  }

  public int count(Kind kind) {
    int count = 0;
    for (ExposedChunk chunk : chunks) {
      count += chunk.kind() == kind ? 1 : 0;
    }
    return count;
  }

  /** Bytes of the pool that the peer can still write to or read. */
  public long reachablePoolBytes() {
    long bytes = 0;
    for (ExposedChunk chunk : chunks) {
      bytes += chunk.reachable() && chunk.region().pooled() ? chunk.region().length() : 0;
    }
    return bytes;
  }

  /** Counts what the peer can pull. */
  public void count(Counters counters) {
    for (int i = 0; i < chunks.size(); i++) {
      ExposedChunk chunk = chunks.get(i);
      counters.positionZeroChunks += chunk.kind() == Kind.POSITION_ZERO ? 1 : 0;
      counters.readChunks += chunk.kind() == Kind.ITEM ? 1 : 0;
      counters.bytesSent += chunk.kind() == Kind.ITEM || chunk.kind() == Kind.POSITION_ZERO
          ? chunk.segment().unsignedLength() : 0;
    }
  }

  /** The lists of the call's header. */
  public ChunkLists lists() {
    if (chunks.isEmpty()) {
      return ChunkLists.EMPTY;
    }
    List<ReadChunk> reads = new ArrayList<>(2);
    List<Chunk> writes = new ArrayList<>(1);
    Optional<Chunk> reply = Optional.empty();
    for (ExposedChunk chunk : chunks) {
      switch (chunk.kind()) {
        case ITEM, POSITION_ZERO ->
            reads.add(new ReadChunk(chunk.place(), List.of(chunk.segment())));
        case WRITE -> writes.add(chunk.segment() == null ? Chunk.EMPTY : Chunk.of(chunk.segment()));
        case REPLY -> reply = Optional.of(Chunk.of(chunk.segment()));
        default -> throw new IllegalStateException("No such kind: " + chunk.kind());
      }
    }
    return new ChunkLists(reads, writes, reply);
  }

  /** The chunk that the reply's Write chunk of that index belongs to. */
  public ExposedChunk writeChunk(int index) {
    int seen = 0;
    for (ExposedChunk chunk : chunks) {
      if (chunk.kind() == Kind.WRITE && seen++ == index) {
        return chunk;
      }
    }
    throw new IndexOutOfBoundsException("No Write chunk " + index);
  }

  /** The Reply chunk, which must have been offered. */
  public ExposedChunk replyChunk() {
    return chunks.stream().filter(chunk -> chunk.kind() == Kind.REPLY).findFirst().orElseThrow();
  }

  /** The peer has invalidated a tag; tells whether it is one of this call's (B-037). */
  public boolean invalidated(int handle) {
    return chunks.stream().anyMatch(chunk -> chunk.invalidated(handle));
  }

  /**
   * Revokes certain chunks, and does something when the peer can reach none of them any more: at once
   * if that is so already.
   */
  public void whenEnded(Predicate<ExposedChunk> which, Runnable action) {
    if (chunks.isEmpty()) {
      action.run();
      return;
    }
    if (fences.isEmpty()) {
      fences = new ArrayList<>(1);
    }
    fences.add(new Fence(which, action));
    for (ExposedChunk chunk : chunks) {
      if (chunk.reachable() && which.test(chunk)) {
        chunk.revoke();
      }
    }
    chunkEnded();
  }

  /** Revokes everything, and frees it when the peer can reach none of it any more. */
  public void freeWhenEnded() {
    whenEnded(chunk -> true, () -> free(chunk -> true));
  }

  /** Some chunk may have ended: does what waited for it. */
  void chunkEnded() {
    Iterator<Fence> all = fences.iterator();
    List<Runnable> due = new ArrayList<>(1);
    while (all.hasNext()) {
      Fence fence = all.next();
      if (chunks.stream().noneMatch(chunk -> chunk.reachable() && fence.which().test(chunk))) {
        all.remove();
        due.add(fence.action());
      }
    }
    due.forEach(Runnable::run);
  }

  /** Frees certain chunks' memory, unless it was handed over. */
  public void free(Predicate<ExposedChunk> which) {
    for (ExposedChunk chunk : chunks) {
      if (which.test(chunk)) {
        chunk.free();
      }
    }
  }
}
