// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What both ends have in common: messages of 16 bytes, a deadline, and how it all ends.
 *
 * <p>At any time one message of the peer may be on its way, so there is one Receive, posted again
 * before anything is sent that the peer could answer.
 */
abstract class RpingEnd implements QueuePairHandler {

  /** One Read each way, as {@code rping} asks for. */
  static final ConnectionOptions CONNECTION =
      ConnectionOptions.DEFAULT.withQueueDepths(8, 2).withReads(1, 1);

  private static final int RECEIVE_ID = 1;
  private static final long NO_TIMER = -1;

  private final RpingOptions options;
  private final Promise<RpingReport> finished = Promise.promise();
  private final Vertx vertx;
  private LocalMemory inbox;
  private QueuePair queuePair;
  private RpingException failure;
  private long timer = NO_TIMER;
  private int pings;
  private long bytes;

  RpingEnd(Vertx vertx, RpingOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /** Registers new memory. */
  static Future<LocalMemory> register(ProtectionDomain domain, int length) {
    return domain.register(ByteBuffer.allocateDirect(length), LocalMemory.Backing.MEMORY);
  }

  final RpingOptions options() {
    return options;
  }

  final QueuePair queuePair() {
    return queuePair;
  }

  /** The memory that messages come into; to be given before the connection is set up. */
  final void inbox(LocalMemory memory) {
    inbox = memory;
  }

  /** Completes when the connection is gone. */
  final Future<RpingReport> finished() {
    return finished.future();
  }

  /** The connection did not come up. */
  final void notConnected(Throwable reason) {
    finished.tryFail(reason);
  }

  final QueuePairHandler setUp(QueuePair created) {
    queuePair = created;
    postReceive();
    return this;
  }

  private void postReceive() {
    queuePair.postReceive(RECEIVE_ID, inbox, 0, RpingInfo.BYTES);
  }

  @Override
  public void established() {}

  @Override
  public void exposed(Exposure exposure) {}

  @Override
  public void revoked(Exposure exposure) {}

  @Override
  public void batchEnd() {
    queuePair.flush();
  }

  @Override
  public final void completed(WorkCompletion completion) {
    if (failure != null || completion.status() != Status.SUCCESS) {
      return;   // The connection ends, and disconnected tells why.
    }
    if (completion.opcode() != WorkCompletion.Opcode.RECEIVE) {
      done(completion);
    } else if (completion.byteLength() != RpingInfo.BYTES) {
      fail("A message of " + completion.byteLength() + " bytes came, where " + RpingInfo.BYTES
          + " are due: the peer does not speak rping");
    } else {
      RpingInfo info = RpingInfo.get(inbox.buffer(), 0);
      postReceive();
      received(info);
    }
  }

  /** A message has come. */
  abstract void received(RpingInfo info);

  /** A Send, Write or Read is done. */
  abstract void done(WorkCompletion completion);

  /** What is missing if the connection ends now; empty if nothing is. */
  abstract Optional<String> missing(DisconnectReason reason);

  /** What is missing for a connection that ended in the middle of a ping. */
  final Optional<String> inThisPing(DisconnectReason reason) {
    return Optional.of("The connection ended in ping " + pings + ": "
        + (reason.detail().isEmpty() ? reason.kind() : reason.detail()));
  }

  /** The peer has something to do now, and so much time for it. */
  final void awaitPeer() {
    awaitNobody();
    timer = vertx.setTimer(options.timeout().toMillis(), fired -> {
      timer = NO_TIMER;
      fail("The peer has not done its part of ping " + pings + " within "
          + options.timeout().toMillis() + " ms");
    });
  }

  /** It is this end's turn. */
  final void awaitNobody() {
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  /** The number of the current ping. */
  final int ping() {
    return pings;
  }

  /** A ping is complete. */
  final void count(int size) {
    pings++;
    bytes += size;
  }

  /** The first failure is the one that counts. */
  final void fail(String message) {
    if (failure == null) {
      failure = new RpingException(message);
      queuePair.close();
    }
  }

  @Override
  public final void disconnected(DisconnectReason reason) {
    awaitNobody();
    if (failure == null) {
      failure = missing(reason).map(RpingException::new).orElse(null);
    }
    if (failure == null) {
      finished.tryComplete(new RpingReport(pings, bytes));
    } else {
      finished.tryFail(failure);
    }
  }
}
