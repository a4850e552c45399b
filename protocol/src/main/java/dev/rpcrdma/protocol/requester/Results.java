// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.LentItems;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Hands a reply to its call: the payload stream from the Send or from the Reply
 * chunk, data items from the Write chunks. Write chunks carry no Position, so the order of the
 * eligible results is what tells them apart (RFC 8166 §4.3.2).
 */
final class Results implements ItemSource {

  private final MessageChunks chunks;
  private final List<Chunk> returned;
  /** What was pulled; null if nothing was. */
  private final DataItem pulled;
  /** Items that the listener has read. They are lent to it until it returns. */
  private final LentItems lent = new LentItems();
  private int next;

  private Results(MessageChunks chunks, List<Chunk> returned, DataItem pulled) {
    this.chunks = chunks;
    this.returned = returned;
    this.pulled = pulled;
  }

  /** Hands a reply over that was pulled: large items of it may be kept without being copied. */
  static void deliverPulled(OutboundCall call, MessageChunks exposed, ChunkLists lists, DataItem pulled,
      ConnectionCore core) {
    deliver(call, new Results(exposed, lists.writeChunks(), pulled), lists, ReplyForm.PULLED, pulled.bytes(),
        core);
  }

  static boolean deliver(OutboundCall call, MessageChunks exposed, ChunkLists lists, ReplyForm form,
      ByteBuffer stream, ConnectionCore core) {
    Results results = exposed.isEmpty() && form == ReplyForm.INLINE ? null
        : new Results(exposed, lists.writeChunks(), null);
    return deliver(call, results, lists, form, stream, core);
  }

  /** Tells whether somebody may still look at the payload. */
  private static boolean deliver(OutboundCall call, Results results, ChunkLists lists, ReplyForm form,
      ByteBuffer stream, ConnectionCore core) {
    boolean inline = form == ReplyForm.INLINE;
    if (!inline && stream.remaining() >= Integer.BYTES && stream.getInt(0) != call.xid()) {
      // C-21: into a chunk nobody has looked before.
      call.unusable((form == ReplyForm.PULLED ? "The Read" : "The Reply")
          + " chunk holds the reply of another call: its XID differs from the header's");
      return false;
    }
    if (!inline) {
      if (!core.cutMetadata(stream)) {
        call.unusable("The reply does not end in a sound metadata block");
        return false;
      }
      call.metadataArrived();
    }
    Counters counters = core.counters();
    counters.bytesReceived += stream.remaining();
    for (int i = 0; i < lists.writeChunks().size(); i++) {
      Chunk chunk = lists.writeChunks().get(i);
      counters.writeChunks += chunk.length() > 0 ? 1 : 0;
      counters.bytesReceived += chunk.length();
    }
    if (results == null) {
      return tell(call, XdrReader.owning(stream, ItemSource.NONE));
    }
    try {
      return tell(call, inline ? XdrReader.owning(stream, results)
          : XdrReader.passing(stream, results));
    } finally {
      // A reader may have released what it was only lent.
      results.lent.release();
    }
  }

  private static boolean tell(OutboundCall call, XdrReader reader) {
    Optional<ReplyHeader> rejection;
    try {
      rejection = ReplyHeader.decodeRejection(reader, call.shown());
    } catch (XdrException e) {
      call.unusable("The reply's head cannot be decoded: " + e.getMessage());
      return reader.close();
    }
    if (rejection.isPresent()) {
      call.unsuccessful(rejection.get());
      return reader.close();
    }
    call.endReplied();
    Optional<BodyProtection> bodies = call.bodies();
    if (bodies.isPresent()) {
      // nobody sees what is not verified, or not decrypted.
      call.open(bodies.get(), reader.rest());
    } else {
      call.replied(reader);
    }
    return reader.close();
  }

  @Override
  public Optional<DataItem> take(long position, int length) {
    if (next >= chunks.count(ExposedChunk.Kind.WRITE)) {
      return Optional.empty();
    }
    int index = next++;
    long placed = index < returned.size() ? returned.get(index).length() : 0;
    if (placed == 0 && length == 0) {
      return Optional.empty();
    }
    if (placed != length) {
      // an eligible result belongs into the Write chunk that was there for it.
      throw new XdrException("A result of " + Integer.toUnsignedString(length) + " bytes, of which "
          + placed + " are in its Write chunk");
    }
    return lent.lend(chunks.writeChunk(index).handOver().toItem(length));
  }

  /** Who keeps it keeps all that was pulled, so that it has to be most of it. */
  @Override
  public Optional<DataItem> inline(int offset, int length) {
    if (pulled == null || length < pulled.length() / 2) {
      return Optional.empty();
    }
    return pulled.part(offset, length).flatMap(lent::lend);
  }

  @Override
  public long nextPosition() {
    // The end of the stream is all that is known: whatever is left over there is too much.
    return Long.MAX_VALUE;
  }
}
