// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.message.Pulls;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
    return repeated(xid, bytes, OpaqueAuth.NONE).call();
  }

  /** The same of somebody; what it is answered by what is remembered is kept. */
  public static Repeated repeated(int xid, byte[] bytes, OpaqueAuth credential) {
    XdrWriter writer = new XdrWriter();
    new CallHeader(xid, 7, 1, 3, credential).encode(writer);
    Home home = new Home();
    IncomingCall call = new IncomingCall(home, xid, ChunkLists.EMPTY, Pulls.puller(), 0);
    call.inlineStream(ByteBuffer.wrap(writer.opaque(bytes).toByteArray()));
    call.decodeHeader();
    call.letIn((CallSecurity) Authenticator.PLAIN.judge(call.header(), call.inlineStream(), call));
    return new Repeated(call, home.answers, home.replies);
  }

  /** A call, and what it was answered. */
  public record Repeated(IncomingCall call, List<String> answers, List<PayloadStream> replies) {}

  /** A connection that keeps answers. */
  private static final class Home implements CallHome {

    private final List<String> answers = new ArrayList<>();
    private final List<PayloadStream> replies = new ArrayList<>();

    @Override
    public CallHistory history() {
      throw new AssertionError("Nobody asks");
    }

    @Override
    public boolean open() {
      return true;
    }

    @Override
    public void judged(IncomingCall call, Verdict verdict) {
      throw new AssertionError("It is judged at once");
    }

    @Override
    public void reply(IncomingCall call, XdrEncoder results) {
      throw new AssertionError("Nobody serves it");
    }

    @Override
    public void fail(IncomingCall call, AcceptStatus status) {
      throw new AssertionError("Nobody serves it");
    }

    @Override
    public void reject(IncomingCall call, Reply reply) {
      throw new AssertionError("Nobody serves it");
    }

    @Override
    public void proceed(IncomingCall call) {
      answers.add("proceeds");
    }

    @Override
    public void answerAgain(IncomingCall call, Reply reply) {
      answers.add(reply.results().length() + " bytes");
      replies.add(reply.results());
    }

    @Override
    public void answerGone(IncomingCall call) {
      answers.add("gone");
    }

    @Override
    public void pulled(IncomingCall call, long now) {
      throw new AssertionError("Nothing is pulled");
    }

    @Override
    public void starved(IncomingCall call, long now) {
      throw new AssertionError("Nothing is pulled");
    }

    @Override
    public void timedOut(IncomingCall call, long now) {}
  }

  /** A call with an item and a word, the item inline or in a Read chunk, which may have its padding. */
  public static IncomingCall withItem(int xid, byte[] item, boolean chunk, boolean padded) {
    if (!chunk) {
      return call(xid, ByteBuffer.wrap(head(xid).opaque(item).int32(42).toByteArray()),
          ChunkLists.EMPTY);
    }
    XdrWriter writer = head(xid).int32(item.length);
    int position = writer.length();
    ReadChunk read = new ReadChunk(position, List.of(new Segment(1, item.length, 0)));
    IncomingCall call = call(xid, ByteBuffer.wrap(writer.int32(42).toByteArray()),
        new ChunkLists(List.of(read), List.of(), Optional.empty()));
    Pulls.pulled(call.pull(), position,
        new Pulled(padded ? Arrays.copyOf(item, Xdr.pad(item.length)) : item));
    return call;
  }

  private static IncomingCall call(int xid, ByteBuffer stream, ChunkLists lists) {
    IncomingCall call = new IncomingCall(new Home(), xid, lists, Pulls.puller(), 0);
    call.inlineStream(stream);
    call.decodeHeader();
    call.letIn((CallSecurity) Authenticator.PLAIN.judge(call.header(), call.inlineStream(), call));
    return call;
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
