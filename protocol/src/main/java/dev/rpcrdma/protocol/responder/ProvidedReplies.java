package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.ExposedChunks;
import dev.rpcrdma.protocol.message.ProvidedPart;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ReadChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

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
   * @param whenPulled hears of RDMA_DONE
   * @param listener hears once: empty when the reply may be sent, else why it cannot
   */
  ProvidedReply provide(int xid, int length, List<ProvidedPart> parts, Runnable whenPulled,
      Consumer<Optional<String>> listener) {
    ProvidedReply reply = new ProvidedReply(xid, length, parts, whenPulled, listener);
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

  /** The connection is lost: exposures have ended, and Sends completed. */
  void abandon() {
    List<ProvidedReply> all = new ArrayList<>(queue);
    queue.clear();
    all.addAll(begun);
    all.forEach(ProvidedReply::abandon);
  }

  /** One reply. Freed when its Send has completed, which may still go on, and its requester has done with it. */
  final class ProvidedReply extends Deadlines.Entry {

    private final int xid;
    private final int length;
    private final List<ProvidedPart> parts;
    private final Runnable whenPulled;
    private final Consumer<Optional<String>> listener;
    private final ExposedChunks chunks = new ExposedChunks(core.memory(), core.exposures());
    private Runnable whenFreed;
    private boolean offered;
    private boolean done;
    private boolean told;
    /** Or about to be: it waits for its revocation. */
    private boolean freed;
    /** How much the peer had read of this connection's memory when somebody looked last. */
    private long served;

    private ProvidedReply(int xid, int length, List<ProvidedPart> parts, Runnable whenPulled,
        Consumer<Optional<String>> listener) {
      this.xid = xid;
      this.length = length;
      this.parts = parts;
      this.whenPulled = whenPulled;
      this.listener = listener;
    }

    private void begin() {
      begun.add(this);
      bytes += length;
      core.counters().providedBytes += length;
      chunks.provide(parts, this::tell);
    }

    private void tell(Optional<String> problem) {
      if (!told) {
        told = true;
        listener.accept(problem);
      }
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
     * @param action run when nothing of it is in use any more
     */
    void sent(boolean success, long now, Runnable action) {
      whenFreed = action;
      if (done || !success) {
        free();
      } else {
        served = core.reads().served();
        core.deadlines().add(this, now + core.settings().largeReplies().waitNanos());
      }
    }

    private void done() {
      done = true;
      whenPulled.run();
      if (whenFreed != null) {
        free();
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
      if (!begun.contains(this)) {
        tell(Optional.of("the connection is lost"));
      } else if (whenFreed != null && !freed) {
        free();
      }
    }

    private void free() {
      core.deadlines().remove(this);
      // RDMA_DONE that comes from now on is for nothing.
      done = true;
      freed = true;
      chunks.whenEnded(chunk -> true, () -> {
        chunks.free(chunk -> true);
        if (begun.remove(this)) {
          bytes -= length;
          core.counters().providedBytes -= length;
        } else {
          queue.remove(this);
        }
        whenFreed.run();
        pump();
      });
    }
  }
}
