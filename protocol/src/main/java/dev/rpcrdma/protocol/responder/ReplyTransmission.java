// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.chunk.ReplyPlan;
import dev.rpcrdma.protocol.chunk.ReplyPlan.Form;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.message.ProvidedPart;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A reply: the Writes into the chunks of its call, then the Send.
 *
 * <p><b>Ownership.</b> It owns the reply's data items and the regions it writes from, until the Send
 * has completed, which is after all Writes have.
 */
final class ReplyTransmission implements Transmission, ProvidedReplies.Listener {

  /** Copying fewer bytes takes less than exposing them. */
  private static final int LEAST_IN_PLACE = 4096;

  private final ConnectionCore core;
  private final IncomingCall call;
  private final Reply reply;
  private final ReplyHeader header;
  private final PayloadStream results;
  /** -1 if nothing is said of it. */
  private long serverNanos = -1;
  private final Consumer<String> whenRefused;
  private final Consumer<Throwable> whenSpoilt;
  private final Runnable whenDone;
  private final List<Region> regions = new ArrayList<>(0);
  private final ArrayDeque<Write> writes = new ArrayDeque<>(0);
  private ReplyPlan plan;
  private int preparing = 1;
  /** Why there is no memory for it; null if there is. */
  private String problem;
  /** Why the results cannot be read any more. */
  private Throwable spoilt;
  private boolean begun;
  private final ProvidedReplies provided;
  /** Null unless it waits to be pulled. */
  private ProvidedReplies.ProvidedReply kept;
  /** Whether the metadata says that the call was not executed. */
  private boolean overloaded;

  /**
   * Creates it.
   *
   * @param results what is sent of the reply's results: these, or what protects them
   * @param provided keeps it, if it fits nowhere
   * @param whenRefused tells the requester that it gets no reply
   * @param whenSpoilt tells it that the service has failed: it has released a result
   * @param whenDone hears when nothing of it is in use any more
   */
  ReplyTransmission(ConnectionCore core, IncomingCall call, Reply reply, PayloadStream results,
      ProvidedReplies provided, Consumer<String> whenRefused, Consumer<Throwable> whenSpoilt,
      Runnable whenDone) {
    this.core = core;
    this.call = call;
    this.reply = reply;
    this.header = reply.header();
    this.results = results;
    this.provided = provided;
    this.whenRefused = whenRefused;
    this.whenSpoilt = whenSpoilt;
    this.whenDone = whenDone;
  }

  /** Plans, gets memory, and submits itself, or is refused. */
  void prepare() {
    try {
      plan = plan();
    } catch (FaultException e) {
      whenRefused.accept(e.getMessage() + ". A client makes room by @MaxReply or CallOptions.withMaxReply, and needs"
          + " none where it pulls large replies");
      notSent();
      return;
    }
    for (int i = 0; i < plan.placedItems().size(); i++) {
      if (plan.placedItems().get(i)) {
        Chunk chunk = plan.lists().writeChunks().get(i);
        preparing++;
        regionOf(results.items().get(i).data(), writing(chunk));
      }
    }
    if (plan.form() == Form.REPLY_CHUNK) {
      Chunk chunk = plan.lists().replyChunk().orElseThrow();
      preparing++;
      core.memory().allocateFilled((int) chunk.length(), this::writeTo, writing(chunk));
    } else if (plan.form() == Form.PROVIDED) {
      preparing++;
      int length = headLength() + (int) results.length(plan.placedItems()::get) + metadataLength();
      kept = provided.provide(call.xid(), length, parts(), this);
    }
    prepared();
  }

  /** Plans the reply with those metadata tags that do not change its form. */
  private ReplyPlan plan() throws FaultException {
    ReplyPlan bare = planned();
    if (!reply.overloaded() && !call.asksServerTime()) {
      return bare;
    }
    if (reply.overloaded()) {
      overloaded = true;
      overloaded = fits(bare);
    }
    if (call.asksServerTime()) {
      serverNanos = call.serverNanos(core.now());
      serverNanos = fits(bare) ? serverNanos : -1;
    }
    return planned();
  }

  private boolean fits(ReplyPlan bare) {
    try {
      return planned().form() == bare.form();
    } catch (FaultException e) {
      // There is room for all but that.
      return false;
    }
  }

  private ReplyPlan planned() throws FaultException {
    return ReplyPlan.of(call.lists(), headLength() + metadataLength(), results, core.settings().outboundInline(),
        core.settings().largeReplies().provides());
  }

  private int metadataLength() {
    return core.settings().metadata() ? MetadataBlock.replyLength(serverNanos >= 0, overloaded) : 0;
  }

  private void writeMetadata(ByteBuffer target) {
    if (core.settings().metadata()) {
      MetadataBlock.writeReply(target, serverNanos, overloaded);
    }
  }

  private int headLength() {
    return header.encodedLength(call.security().verifierLength());
  }

  /** Large items are read where they are; what is between them is copied. */
  private List<ProvidedPart> parts() {
    List<ProvidedPart> parts = new ArrayList<>(3);
    int left = plan.mostSegments(core.settings().outboundInline()) / 2;
    int after = -1;
    for (int i = 0; i < results.items().size(); i++) {
      DataItem item = results.items().get(i).data();
      if (!plan.placedItems().get(i) && item.length() >= LEAST_IN_PLACE && --left > 0) {
        between(parts, after, i);
        parts.add(new ProvidedPart.InPlace(item));
        after = i;
      }
    }
    between(parts, after, results.items().size());
    return parts;
  }

  private void between(List<ProvidedPart> parts, int after, int before) {
    int head = after < 0 ? headLength() : 0;
    int tail = before == results.items().size() ? metadataLength() : 0;
    int length = head + (int) results.partLength(after, before, plan.placedItems()::get) + tail;
    if (length > 0) {
      parts.add(new ProvidedPart.Copied(length, target -> {
        if (head > 0) {
          header.write(target, call.security().verifier());
        }
        results.copyPart(target, after, before, plan.placedItems()::get);
        if (tail > 0) {
          writeMetadata(target);
        }
      }));
    }
  }

  private void writeTo(ByteBuffer target) {
    header.write(target, call.security().verifier());
    results.copyTo(target, plan.placedItems()::get);
    writeMetadata(target);
  }

  private void regionOf(DataItem item, RegionListener listener) {
    try {
      core.memory().regionOf(item, listener);
    } catch (IllegalStateException e) {
      spoilt = e;
      listener.failed(e.getMessage());
    }
  }

  private RegionListener writing(Chunk chunk) {
    return new RegionListener() {
      @Override
      public void ready(Region region) {
        regions.add(region);
        int at = 0;
        for (Segment piece : Segment.cut(chunk.segments(), core.settings().maxTransfer())) {
          writes.add(new Write(region, at, piece.length(), piece.handle(), piece.offset()));
          at += piece.length();
        }
        core.counters().bytesSent += at;
        prepared();
      }

      @Override
      public void failed(String reason) {
        problem = reason;
        prepared();
      }
    };
  }

  private void prepared() {
    if (--preparing > 0) {
      return;
    }
    if (!core.open()) {
      notSent();
    } else if (spoilt != null) {
      encodingFailed(spoilt);
    } else if (problem != null) {
      // no memory for the reply. The requester must not wait for it.
      whenRefused.accept("A reply of " + results.length() + " bytes has no memory to be sent from: " + problem);
      notSent();
    } else {
      core.outbox().submit(this);
    }
  }

  @Override
  public boolean hasWrite() {
    return !writes.isEmpty();
  }

  @Override
  public Write nextWrite() {
    begun = true;
    return writes.remove();
  }

  @Override
  public boolean begun() {
    return begun;
  }

  @Override
  public int encode(ByteBuffer target) {
    // the total that this end serves at once.
    RawHeader.write(target, call.xid(), core.settings().creditsGranted(),
        plan.form() == Form.INLINE ? RawHeader.RDMA_MSG : RawHeader.RDMA_NOMSG);
    lists().write(target);
    int start = target.position();
    if (plan.form() != Form.INLINE) {
      core.counters().sentLong++;
    } else {
      core.counters().sentInline++;
      writeTo(target);
    }
    core.counters().bytesSent += target.position() - start;
    return target.position();
  }

  private ChunkLists lists() {
    return plan.form() == Form.PROVIDED
        ? new ChunkLists(kept.offer(), plan.lists().writeChunks(), plan.lists().replyChunk()) : plan.lists();
  }

  /**
   * Names one tag of this call, if the peer copes with it (RFC 8797 §4.1), and if its caller still waits: memory of a
   * caller who does not may be revoked.
   */
  @Override
  public OptionalInt invalidate() {
    if (!core.settings().remoteInvalidation() || call.givenUp() || call.late(core.now())) {
      return OptionalInt.empty();
    }
    return call.lists().anyHandle();
  }

  /** Whoever has released a result leaves nothing to answer with but that the service has failed. */
  @Override
  public void encodingFailed(Throwable cause) {
    notSent();
    whenSpoilt.accept(cause);
  }

  @Override
  public boolean awaitsCompletion() {
    return true;
  }

  @Override
  public void completed(boolean success, long now) {
    regions.forEach(Region::free);
    if (kept == null) {
      over();
    } else {
      kept.sent(success, now);
    }
  }

  private void notSent() {
    completed(false, 0);
  }

  private void over() {
    // A service may have released what it had given away.
    reply.results().releaseItemsLeft();
    whenDone.run();
  }

  // If it is provided

  @Override
  public void ready(Optional<String> refused) {
    problem = refused.orElse(problem);
    prepared();
  }

  @Override
  public void pulled() {
    call.delivered();
  }

  @Override
  public void notPulled() {
    call.undelivered(reply);
  }

  @Override
  public void freed() {
    over();
  }
}
