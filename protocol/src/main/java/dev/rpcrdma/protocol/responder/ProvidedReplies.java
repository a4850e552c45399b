// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.ProvidedPart;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ReadChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Replies of one connection that are kept to be pulled (draft reliable-reply §4.1), by XID; a call that has come
 * twice has two.
 *
 * <pre>
 *   QUEUED ──room──▶ PREPARING ──exposed──▶ OFFERED ──Send completed, and RDMA_DONE or time over──▶ revoked, freed
 * </pre>
 *
 * <p><b>Bounds.</b> No more of them than calls that were granted, since so many Receives are posted for RDMA_DONE
 * (R-279, C-29), and no more bytes than the settings say, of which one reply may be. The others wait.
 *
 * <p><b>Time.</b> A peer that does not say RDMA_DONE keeps a reply for {@code waitNanos} after it was sent, and as
 * long as it goes on reading; if it reads later it loses the connection.
 */
final class ProvidedReplies {

  /** Whose reply it is. */
  interface Listener {

    /**
     * It may be sent, or will not be provided.
     *
     * @param problem why not; empty if it may
     */
    void ready(Optional<String> problem);

    /** RDMA_DONE has come. */
    void pulled();

    /** The connection is lost, or about to be, and RDMA_DONE has not come. */
    void notPulled();

    /** Nothing of it is in use any more. */
    void freed();
  }

  private final ConnectionCore core;
  private final ArrayDeque<ProvidedReply> queue = new ArrayDeque<>(0);
  /** In the order in which they were begun. */
  private final List<ProvidedReply> begun = new ArrayList<>(0);
  private long bytes;

  ProvidedReplies(ConnectionCore core) {
    this.core = core;
  }

  int size() {
    return queue.size() + begun.size();
  }

  /**
   * Has a reply kept.
   *
   * @param length of its Payload stream, at least 1
   * @param parts of that, in order
   * @param listener hears what becomes of it
   */
  ProvidedReply provide(int xid, int length, List<ProvidedPart> parts, Listener listener) {
    ProvidedReply reply = new ProvidedReply(xid, length, parts, listener);
    queue.add(reply);
    if (!hasRoom(reply)) {
      core.counters().congestedReplies++;
    }
    pump();
    return reply;
  }

  private boolean hasRoom(ProvidedReply reply) {
    return begun.isEmpty() || begun.size() < core.settings().creditsGranted()
        && bytes + reply.length <= core.settings().largeReplies().maxProvided();
  }

  private void pump() {
    while (!queue.isEmpty() && hasRoom(queue.peek())) {
      queue.poll().begin();
    }
  }

  /**
   * RDMA_DONE has come. For a reply that is not there, or not sent, it is dropped in silence.
   *
   * @param invalidated the tag of ours that it has invalidated, which must be one of that reply's
   */
  void done(int xid, OptionalInt invalidated) {
    for (ProvidedReply reply : begun) {
      if (reply.xid == xid && reply.offered && !reply.done
          && (invalidated.isEmpty() || reply.chunks.invalidated(invalidated.getAsInt()))) {
        reply.done();
        return;
      }
    }
    core.counters().discarded++;
    if (invalidated.isPresent()) {
      core.fail("The peer invalidated a steering tag that belongs to no reply it has pulled");
    }
  }

  /** Nothing of this connection counts any more: what was not pulled may be asked for over the next one. */
  void fence() {
    all().forEach(ProvidedReply::handOver);
  }

  /** The connection is lost: exposures have ended, and Sends completed. */
  void abandon() {
    fence();
    List<ProvidedReply> waiting = List.copyOf(queue);
    queue.clear();
    waiting.forEach(reply -> reply.listener.ready(Optional.of("the connection is lost")));
    List.copyOf(begun).forEach(ProvidedReply::abandon);
  }

  private List<ProvidedReply> all() {
    List<ProvidedReply> all = new ArrayList<>(begun);
    all.addAll(queue);
    return all;
  }

  /** One reply. Freed when its Send has completed, which may still go on, and its requester has done with it. */
  final class ProvidedReply extends Deadlines.Entry {

    private final int xid;
    private final int length;
    private final List<ProvidedPart> parts;
    private final Listener listener;
    private final MessageChunks chunks = new MessageChunks(core.memory(), core.exposures());
    /** In the peer's hands, or about to be. */
    private boolean offered;
    /** Nothing is to be pulled any more. */
    private boolean done;
    /** Nothing is to be sent any more. */
    private boolean sent;
    private boolean handedOver;
    /** How much the peer had read of this connection's memory when somebody looked last. */
    private long served;

    private ProvidedReply(int xid, int length, List<ProvidedPart> parts, Listener listener) {
      this.xid = xid;
      this.length = length;
      this.parts = parts;
      this.listener = listener;
    }

    private void begin() {
      begun.add(this);
      bytes += length;
      core.counters().providedBytes += length;
      chunks.provide(parts, listener::ready);
    }

    /** The Read list of its message, which is being posted. */
    List<ReadChunk> offer() {
      offered = true;
      core.counters().providedReplies++;
      core.counters().bytesSent += length;
      return chunks.lists().readChunks();
    }

    /**
     * Its Send is over, or it will not be sent.
     *
     * @param success whether the peer may pull it
     */
    void sent(boolean success, long now) {
      sent = true;
      // It may complete when the connection is lost already.
      boolean there = success && core.open();
      if (!there) {
        handOver();
      }
      if (done || !there) {
        free();
      } else {
        served = core.reads().served();
        core.deadlines().add(this, now + core.settings().largeReplies().waitNanos());
      }
    }

    private void done() {
      done = true;
      listener.pulled();
      if (sent) {
        free();
      }
    }

    private void handOver() {
      if (!done && !handedOver) {
        handedOver = true;
        listener.notPulled();
      }
    }

    @Override
    protected void expired(long now) {
      long reached = core.reads().served();
      if (reached != served) {
        // Whatever is read may be this one.
        served = reached;
        core.deadlines().add(this, now + core.settings().largeReplies().waitNanos());
      } else {
        core.counters().repliesNotPulled++;
        free();
      }
    }

    private void abandon() {
      if (sent && !done) {
        free();
      }
    }

    private void free() {
      core.deadlines().remove(this);
      // RDMA_DONE that comes from now on is for nothing.
      done = true;
      chunks.whenEnded(chunk -> true, () -> {
        chunks.free(chunk -> true);
        if (begun.remove(this)) {
          bytes -= length;
          core.counters().providedBytes -= length;
        }
        listener.freed();
        pump();
      });
    }
  }
}
