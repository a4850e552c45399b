package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.message.DoneTransmission;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.message.PullListener;
import dev.rpcrdma.protocol.message.Puller;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.ChunkLists;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Pulls replies that their responder provides (draft reliable-reply §4.1.2), and says RDMA_DONE when their Reads
 * have ended, well or badly.
 *
 * <p><b>Its call</b> stays where it is until then: with its XID, its credit and its deadline. Who gives it up
 * hears at once; the memory that is read into follows its Reads.
 *
 * <p><b>Direction.</b> A Long message that comes with the XID of a call in flight is most likely its reply, but
 * may be a call of the peer, whose XIDs are its own. What was pulled tells, and a call goes to the responder
 * (C-02); until then no credit value of it is used.
 */
final class PulledReplies {

  private final ConnectionCore core;
  private final Requester requester;
  private final Puller puller;
  private final LongCalls calls;
  /** Messages whose Reads have not ended. */
  private int pulling;

  PulledReplies(ConnectionCore core, LoopPort port, Requester requester, LongCalls calls) {
    this.core = core;
    this.requester = requester;
    this.puller = new Puller(core, port);
    this.calls = calls;
  }

  /** A Long message has come for a call in flight. */
  void arrived(int xid, int credits, ChunkLists lists, long now) {
    if (pulling == core.settings().creditsRequested()) {
      core.fail("The peer provides more replies than there can be calls in flight (" + pulling + ")");
      return;
    }
    PulledReply reply = new PulledReply(xid, credits, lists);
    pulling++;
    if (core.settings().outboundReads() > 0 && puller.takes(reply.pull)) {
      puller.add(reply.pull, now);
      puller.beginWaiting(now);
    } else {
      reply.useless("it has " + reply.pull.bytes() + " bytes, and this end does not pull so many", now);
    }
  }

  /** The requester needs the Read chunk of a reply no more. */
  void done(int xid, OptionalInt handle) {
    if (core.open()) {
      core.outbox().submit(new DoneTransmission(xid, core.settings(), handle));
    }
  }

  /** The connection is lost: nothing more is begun. */
  void abandon() {
    puller.abandon();
  }

  /** One message. */
  private final class PulledReply implements PullListener {

    private final int xid;
    private final int credits;
    private final ChunkLists lists;
    private final Pull pull;

    PulledReply(int xid, int credits, ChunkLists lists) {
      this.xid = xid;
      this.credits = credits;
      this.lists = lists;
      this.pull = puller.of(this, lists.readChunks());
    }

    @Override
    public void pulled(long now) {
      if (!core.open()) {
        pulling--;
        pull.free();
      } else if (pull.failed()) {
        useless("there is no memory for its " + pull.bytes() + " bytes", now);
      } else if (isCall(pull.stream())) {
        pulling--;
        calls.take(xid, lists, pull, now);
      } else {
        pulling--;
        done(xid, lists.anyHandle());
        requester.pulledReply(xid, credits, lists, pull);
      }
      puller.beginWaiting(now);
    }

    private static boolean isCall(ByteBuffer stream) {
      return stream.remaining() >= 8 && stream.getInt(4) == OncRpc.CALL;
    }

    @Override
    public void starved(long now) {
      useless("others have held all memory for pulled replies for too long", now);
    }

    private void useless(String problem, long now) {
      pulling--;
      pull.free();
      done(xid, lists.anyHandle());
      requester.uselessReply(xid, problem);
    }
  }
}
