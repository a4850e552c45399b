// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.InboundMetadata;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.wire.WireLimits;
import dev.rpcrdma.tools.decode.message.ChunkData.Apart;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The RPC messages of a connection with RPC-over-RDMA (RFC 8166): those within a Send, those that are pulled from the
 * Read chunk at Position zero, and replies that were written into a Reply chunk. What ends of this library add to them
 * is taken off.
 */
public final class ChunkedMessages {

  /** A stranger's chunks are shown, not served: their size does not matter. */
  public static final WireLimits LIMITS = new WireLimits(4096, Long.MAX_VALUE, Long.MAX_VALUE, 0);

  private final Conversation conversation;
  private final MessageRoom room;
  private final BiConsumer<RpcMessage, String> unreadable;
  private final BiConsumer<RpcMessage, String> unjudged;
  private final Side opener;
  private final Side acceptor;
  /** Whether a message of RPC-over-RDMA has come, so that there should be no others. */
  private boolean recognised;

  /** What one side has exposed, for whole messages. */
  private static final class Side {
    private final ExposedMemory toBePulled;
    private final ExposedMemory replyChunks;
    private boolean takesMetadata;

    Side(MessageRoom room) {
      toBePulled = new ExposedMemory(room);
      replyChunks = new ExposedMemory(room);
    }

    void end() {
      toBePulled.clear();
      replyChunks.clear();
    }
  }

  /**
   * Begins with a connection.
   *
   * @param conversation the connection
   * @param room of all connections
   * @param unreadable called with a Send that should have, or announce, an RPC message which cannot be read, and with
   *     the reason
   * @param unjudged called with a Send that may be right, and behind which messages may be wrong unseen, and with the
   *     reason
   */
  public ChunkedMessages(Conversation conversation, MessageRoom room, BiConsumer<RpcMessage, String> unreadable,
      BiConsumer<RpcMessage, String> unjudged) {
    this.conversation = conversation;
    this.room = room;
    this.unreadable = unreadable;
    this.unjudged = unjudged;
    this.opener = new Side(room);
    this.acceptor = new Side(room);
  }

  /** Gives up messages that are not complete. */
  public void end() {
    opener.end();
    acceptor.end();
  }

  /**
   * Takes what a decoder has found.
   *
   * @param unit the next find
   * @return the message that is complete with it, if there is one
   */
  public Optional<RpcMessage> take(DecodedUnit unit) {
    Side sender = unit.fromOpener() ? opener : acceptor;
    Side receiver = unit.fromOpener() ? acceptor : opener;
    if (unit.kind() == Kind.STARTUP) {
      sender.takesMetadata = takesMetadata(unit.payload());
    } else if (unit.kind() == Kind.WRITTEN) {
      receiver.replyChunks.take(unit.tag(), unit.address(), unit.payload());
    } else if (unit.kind() == Kind.READ) {
      return pulled(unit, sender.toBePulled);
    } else if (unit.kind() == Kind.MESSAGE) {
      return message(unit, sender, receiver);
    }
    return Optional.empty();
  }

  private static boolean takesMetadata(ByteBuffer privateData) {
    byte[] bytes = new byte[privateData.remaining()];
    privateData.get(privateData.position(), bytes);
    return SessionBlock.find(bytes).map(block -> block.features().metadata()).orElse(false);
  }

  private Optional<RpcMessage> pulled(DecodedUnit unit, ExposedMemory memory) {
    ChunkData chunk = memory.take(unit.tag(), unit.address(), unit.payload());
    if (chunk == null || !chunk.isComplete()) {
      return Optional.empty();
    }
    memory.remove(chunk.xid());
    ByteBuffer bytes = chunk.bytes();
    boolean reply = bytes.remaining() >= RpcMessage.LEAST_LENGTH && bytes.getInt(Integer.BYTES) == OncRpc.REPLY;
    return message(unit, chunk.xid(), chunk.announced(), bytes,
        reply ? chunk.apart().written() : chunk.apart().read());
  }

  private Optional<RpcMessage> message(DecodedUnit unit, Side sender, Side receiver) {
    ByteBuffer bytes = unit.payload().slice();
    if (bytes.remaining() < RawHeader.LENGTH || RawHeader.version(bytes) != RawHeader.VERSION) {
      return recognised ? unreadable(unit, "it is no RPC-over-RDMA of version " + RawHeader.VERSION) : Optional.empty();
    }
    int xid = RawHeader.xid(bytes);
    int procedure = RawHeader.procedure(bytes);
    if (procedure == RawHeader.RDMA_ERROR) {
      // Errors are about the other side's messages: an XID of its own may be the same.
      receiver.toBePulled.remove(xid);
      receiver.replyChunks.remove(xid);
    }
    if (procedure == RawHeader.RDMA_ERROR && bytes.remaining() > RawHeader.ERR_VERS_LENGTH
        || procedure == RawHeader.RDMA_DONE && bytes.remaining() > RawHeader.LENGTH) {
      return unreadable(unit, "it is longer than a message of its type, " + procedure);
    }
    if (procedure == RawHeader.RDMA_MSGP) {
      return unreadable(unit, "it is an RDMA_MSGP, which RFC 8166 forbids");
    }
    if (procedure == RawHeader.RDMA_DONE && receiver.toBePulled.remove(xid) != null) {
      // Who does not want the reply says so too.
      unjudged.accept(sent(unit), "as its sender is done with a reply that nobody has pulled by the tags it names");
    }
    if (procedure != RawHeader.RDMA_MSG && procedure != RawHeader.RDMA_NOMSG) {
      if (recognised && Integer.compareUnsigned(procedure, RawHeader.RDMA_ERROR) > 0) {
        // Ends may have agreed on it.
        unjudged.accept(sent(unit), "as RFC 8166 has no header type " + Integer.toUnsignedString(procedure));
      }
      return Optional.empty();
    }
    ChunkLists lists;
    try {
      lists = ChunkLists.read(bytes.position(RawHeader.LENGTH), LIMITS);
    } catch (FaultException e) {
      return unreadable(unit, "its chunk lists are malformed: " + e.getMessage());
    }
    recognised = true;
    return procedure == RawHeader.RDMA_MSG ? inline(unit, xid, lists, bytes.slice(), sender, receiver)
        : noMessage(unit, xid, lists, sender, receiver);
  }

  private Optional<RpcMessage> inline(DecodedUnit unit, int xid, ChunkLists lists, ByteBuffer payload, Side sender,
      Side receiver) {
    if (payload.remaining() < RpcMessage.LEAST_LENGTH) {
      return unreadable(unit, "its RPC message has " + payload.remaining() + " bytes");
    }
    boolean call = payload.getInt(Integer.BYTES) == OncRpc.CALL;
    if (call) {
      expectReply(unit, xid, lists, sender);
    } else {
      receiver.replyChunks.remove(xid);
    }
    return message(unit, xid, unit.frame(), payload, call ? readBytes(lists) : writtenBytes(lists));
  }

  private Optional<RpcMessage> noMessage(DecodedUnit unit, int xid, ChunkLists lists, Side sender, Side receiver) {
    Optional<ReadChunk> positionZero = lists.positionZero();
    if (positionZero.isPresent()) {
      // A call, or a reply that is to be pulled: that has nothing of its call's Reply chunk.
      if (lists.replyChunk().isPresent() && lists.replyChunk().get().length() == 0) {
        receiver.replyChunks.remove(xid);
      } else {
        expectReply(unit, xid, lists, sender);
      }
      Apart apart = new Apart(readBytes(lists) - positionZero.get().length(), writtenBytes(lists));
      sender.toBePulled.add(new ChunkData(xid, unit.frame(), apart, positionZero.get().segments(),
          sender.toBePulled::forget));
      return Optional.empty();
    }
    ChunkData written = receiver.replyChunks.remove(xid);
    if (written == null || lists.replyChunk().isEmpty()) {
      // The Reply chunk may have been forgotten, which counts already.
      return room.forgotten() > 0 ? Optional.empty() : unreadable(unit, "no chunk of its XID has its RPC message");
    }
    return message(unit, xid, unit.frame(), written.bytes(lists.replyChunk().get().segments()), writtenBytes(lists));
  }

  private Optional<RpcMessage> unreadable(DecodedUnit unit, String why) {
    unreadable.accept(sent(unit), why);
    return Optional.empty();
  }

  private RpcMessage sent(DecodedUnit unit) {
    return new RpcMessage(conversation, unit.frame(), unit.frame(), unit.fromOpener(), unit.payload(), 0);
  }

  private static void expectReply(DecodedUnit unit, int xid, ChunkLists lists, Side sender) {
    lists.replyChunk().ifPresent(chunk ->
        sender.replyChunks.add(new ChunkData(xid, unit.frame(), Apart.NOTHING, chunk.segments(),
            sender.replyChunks::forget)));
  }

  private static long readBytes(ChunkLists lists) {
    return lists.readChunks().stream().mapToLong(ReadChunk::length).sum();
  }

  private static long writtenBytes(ChunkLists lists) {
    return lists.writeChunks().stream().mapToLong(Chunk::length).sum();
  }

  private Optional<RpcMessage> message(DecodedUnit unit, int xid, long announced, ByteBuffer bytes, long apart) {
    if (bytes.remaining() >= RpcMessage.LEAST_LENGTH && bytes.getInt(bytes.position()) != xid) {
      // RFC 8166 §4.2.1. The message may be good by itself, but its receiver does not know its call.
      unreadable(unit, "its XID is not that of its transport header");
    }
    if (opener.takesMetadata && acceptor.takesMetadata) {
      // One that is not sound stays, as something that does not belong there.
      new InboundMetadata().cut(bytes);
    }
    return Optional.of(new RpcMessage(conversation, announced, unit.frame(), unit.fromOpener(), bytes, apart));
  }
}
