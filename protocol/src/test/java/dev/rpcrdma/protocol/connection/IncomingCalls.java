package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.channel.ReplyCache;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Calls as they arrive, for tests of what remembers them. */
public final class IncomingCalls {

  private IncomingCalls() {}

  private static XdrWriter head(int xid) {
    XdrWriter writer = new XdrWriter();
    new CallHeader(xid, 7, 1, 3, OpaqueAuth.NONE).encode(writer);
    return writer;
  }

  /** A call with one opaque. */
  public static IncomingCall inline(int xid, byte[] bytes) {
    return call(xid, ByteBuffer.wrap(head(xid).opaque(bytes).toByteArray()));
  }

  /** A call with an item and a word, the item inline or in a Read chunk, which may have its padding. */
  public static IncomingCall withItem(int xid, byte[] item, boolean chunk, boolean padded) {
    if (!chunk) {
      return call(xid, ByteBuffer.wrap(head(xid).opaque(item).int32(42).toByteArray()));
    }
    XdrWriter writer = head(xid).int32(item.length);
    int position = writer.length();
    IncomingCall call = call(xid, ByteBuffer.wrap(writer.int32(42).toByteArray()));
    call.pulled(position,
        new Pulled(padded ? Arrays.copyOf(item, Xdr.pad(item.length)) : item));
    return call;
  }

  private static IncomingCall call(int xid, ByteBuffer stream) {
    IncomingCall call = new IncomingCall(null, xid, ChunkLists.EMPTY);
    call.inlineStream(stream);
    return call;
  }

  /** The service has answered. */
  public static void replied(IncomingCall call, PayloadStream reply) {
    call.takeRecord().replied(reply);
  }

  /** What a cache does for calls that are repeated, over the connection of a machine. */
  public static ReplyCache.Answers answers(ConnectionMachine machine) {
    return new ReplyCache.Answers() {
      @Override
      public void answerAgain(IncomingCall call, PayloadStream reply) {
        machine.answerAgain(call, reply);
      }

      @Override
      public void answerLost(IncomingCall call) {
        machine.answerLost(call);
      }
    };
  }

  private record Pulled(byte[] data) implements Region {

    @Override
    public ByteBuffer bytes() {
      return ByteBuffer.wrap(data);
    }

    @Override
    public int length() {
      return data.length;
    }

    @Override
    public boolean pooled() {
      return true;
    }

    @Override
    public DataItem toItem(int length) {
      throw new AssertionError("Nobody reads it");
    }

    @Override
    public void free() {}
  }
}
