// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.message.DoneTransmission;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.message.PullListener;
import dev.rpcrdma.protocol.message.Puller;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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
 * (C-02); until then no credit value of it is used. What turns out to be neither ends the call, and grants
 * nothing. Of a message that cannot be pulled whole the first bytes are, to find out whose it is.
 */
final class PulledReplies {

  /** XID and msg_type. */
  private static final int DIRECTION_BYTES = 2 * Integer.BYTES;

  private final ConnectionCore core;
  private final Requester requester;
  private final Puller puller;
  private final LongCalls calls;
  /** Messages whose Reads have not ended. */
  private final List<PulledReply> pulling = new ArrayList<>(0);

  PulledReplies(ConnectionCore core, LoopPort port, Requester requester, LongCalls calls) {
    this.core = core;
    this.requester = requester;
    this.puller = new Puller(core, port);
    this.calls = calls;
  }

  /** A Long message has come for a call in flight. */
  void arrived(int xid, int credits, ChunkLists lists, long now) {
    // As many as there can be replies, and calls that have the same XIDs.
    if (pulling.size() == core.settings().creditsRequested() + 2 * core.settings().creditsGranted()) {
      core.fail("The peer provides more replies than there can be calls in flight");
      return;
    }
    PulledReply reply = new PulledReply(xid, credits, lists);
    pulling.add(reply);
    reply.begin(now);
    puller.beginWaiting(now);
  }

  /** The requester needs the Read chunk of a reply no more. */
  void done(int xid, OptionalInt handle) {
    if (core.open()) {
      core.outbox().submit(new DoneTransmission(xid, core.settings(), handle));
    }
  }

  /** Tells whether a message with that XID is being pulled. */
  boolean isPulling(int xid) {
    return pulling.stream().anyMatch(reply -> reply.xid == xid);
  }

  /** The connection is lost: nothing more is begun. */
  void abandon() {
    puller.abandon();
    // Their Reads, or memory, may still be to come. Nobody minds any more when.
    pulling.forEach(reply -> core.deadlines().remove(reply.pull));
  }

  /** One message. */
  private final class PulledReply implements PullListener {

    private final int xid;
    private final int credits;
    private final ChunkLists lists;
    private Pull pull;
    /** Why no more of it is pulled than tells whose it is; null if all of it is. */
    private String problem;

    PulledReply(int xid, int credits, ChunkLists lists) {
      this.xid = xid;
      this.credits = credits;
      this.lists = lists;
    }

    void begin(long now) {
      pull = puller.of(this, lists.readChunks());
      if (puller.takes(pull)) {
        puller.add(pull, now);
      } else {
        pullHead("it has " + pull.bytes() + " bytes, and this end does not pull so many", now);
      }
    }

    private void pullHead(String why, long now) {
      problem = why;
      pull = puller.of(this, List.of(lists.positionZero().orElseThrow().first(DIRECTION_BYTES)));
      puller.add(pull, now);
    }

    @Override
    public void pulled(long now) {
      if (!core.open() || pull.lost()) {
        // Its call is lost with the connection, and is sent again as any other.
        pulling.remove(this);
        pull.free();
      } else if (!pull.failed()) {
        pulling.remove(this);
        direct(now);
      } else {
        incomplete("there is no memory for its " + pull.bytes() + " bytes. " + pull.problem(), now);
      }
      puller.beginWaiting(now);
    }

    @Override
    public void starved(long now) {
      incomplete("others have held all memory for pulled replies for too long", now);
      puller.beginWaiting(now);
    }

    private void incomplete(String why, long now) {
      pull.free();
      if (problem == null) {
        pullHead(why, now);
      } else {
        pulling.remove(this);
        core.fail("There is no memory to find out what a message of the peer is");
      }
    }

    private void direct(long now) {
      boolean call = isCall(pull.stream());
      if (problem != null) {
        pull.free();
      }
      if (!call) {
        done(xid, lists.anyHandle());
      }
      if (problem == null && call) {
        calls.take(xid, lists, pull, now);
      } else if (problem == null) {
        none();
        requester.pulledReply(xid, isReply(pull.stream()) ? OptionalInt.of(credits) : OptionalInt.empty(), lists,
            pull);
      } else if (call) {
        calls.refuse(xid);
      } else {
        none();
        requester.uselessReply(xid, problem);
      }
    }

    /** Tells that no call has come, unless another message with this XID may be one. */
    private void none() {
      if (!isPulling(xid)) {
        calls.none(xid);
      }
    }

    private static boolean isCall(ByteBuffer stream) {
      return stream.remaining() >= DIRECTION_BYTES && stream.getInt(Integer.BYTES) == OncRpc.CALL;
    }

    /** Tells whether the message is a reply for certain: no call, and not too short or too strange to be either. */
    private boolean isReply(ByteBuffer stream) {
      int metadata = core.settings().metadata() ? MetadataBlock.blockLength(stream) : 0;
      return metadata >= 0 && stream.remaining() - metadata >= DIRECTION_BYTES
          && stream.getInt(0) == xid && stream.getInt(Integer.BYTES) == OncRpc.REPLY;
    }
  }
}
