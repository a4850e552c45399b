// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.completion.CompletionChannel;
import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.work.IbverbsWorkers;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A connection that is being made, from either side: its queue pair is made and set up, then its fabric asked. Steps
 * that take system calls are done by workers, one at a time; what has been made is undone behind the one that is under
 * way when it fails, or when its time is over. On the owning loop.
 */
abstract class Startup implements PairDevice.Closing {

  final PairDevice device;
  final ConnectionOptions options;
  final Context context;
  private final Context given;
  private final SharedDomain domain;
  private final QueuePairSetup setup;
  private final EventLoop loop;
  private final Promise<QueuePair> promise;
  private final Promise<Void> gone = Promise.promise();
  private ScheduledFuture<?> deadline;
  /** Null until it is made. */
  volatile CmId id;
  private IbverbsQueuePair queuePair;
  private VerbsException failure;
  /** Null unless the loop had ended before it began. */
  private VerbsException refused;
  private boolean ended;
  private boolean undone;
  private int working;
  private boolean asked;

  Startup(PairDevice device, Context given, SharedDomain domain, ConnectionOptions options, QueuePairSetup setup) {
    this.device = device;
    this.given = given;
    this.context = Loops.onLoop(given);
    this.loop = Contexts.eventLoop(context);
    this.domain = domain;
    this.options = options;
    this.setup = setup;
    this.promise = Contexts.promise(context);
  }

  /** For people. */
  abstract String peer();

  /** The queue pair has all its Receives: the fabric is asked, on a worker. */
  abstract void ask(CmId.Parameters parameters) throws NativeException;

  /** A function that has asked the fabric has failed. */
  abstract VerbsException notAsked(NativeException why);

  /** How many Reads the fabric is asked for. */
  int askedReads() {
    return wantedReads();
  }

  final int wantedReads() {
    return Math.min(options.outboundReads(), device.device().attributes().maxOutboundReads());
  }

  final int inboundReads() {
    return Math.min(options.inboundReads(), device.device().attributes().maxInboundReads());
  }

  private CmId.Parameters parameters() {
    return new CmId.Parameters(options.privateData().getBytes(), inboundReads(), askedReads());
  }

  /** What is settled when the connection is up. */
  abstract Settled settled(CmEvent established);

  /** What two sides have agreed upon. */
  record Settled(Buffer privateData, int outboundReads) {}

  /** Its outcome; after the end of Vert.x no context would call a listener of the promise's. */
  final Future<QueuePair> future() {
    return refused == null ? promise.future() : Future.failedFuture(refused);
  }

  /** Begins the time in which it has to succeed. */
  final void begin(Runnable first) {
    try {
      Loops.run(loop, () -> {
        if (failure != null) {
          // The device was closed meanwhile.
          return;
        }
        deadline = loop.schedule(() -> fail(new VerbsException(VerbsException.Kind.TIMEOUT,
            "No connection to " + peer() + " within " + options.timeout().toMillis() + " ms")),
            options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        first.run();
      });
    } catch (RejectedExecutionException e) {
      refused = Loops.ended(e);
      gone.tryComplete();
    }
  }

  /** From the channel's thread. */
  final void event(CmEvent event) {
    try {
      loop.execute(() -> happened(event));
    } catch (RejectedExecutionException e) {
      // Vert.x has ended.
    }
  }

  private void happened(CmEvent event) {
    if (ended || failure != null) {
      if (queuePair != null) {
        queuePair.connection().event(event);
      }
    } else if (asked && event.type() == Numbers.ESTABLISHED) {
      established(event);
    } else if (!proceed(event)) {
      fail(device.device().rules().failure(event, peer()));
    }
  }

  /** Goes on with an event, or says that it is not for this. */
  boolean proceed(CmEvent event) {
    return event.type() == Numbers.ADDR_CHANGE || event.type() == Numbers.TIMEWAIT_EXIT;
  }

  /** Has a worker do a step, whose success an event tells of, unless all has failed meanwhile. */
  final void step(IbverbsWorkers workers, Callable<Void> work, Runnable done) {
    if (failure != null) {
      return;
    }
    working++;
    workers.run(loop, work, outcome -> {
      working--;
      done.run();
      if (outcome.failed()) {
        fail((VerbsException) outcome.cause());
      }
      if (failure != null) {
        undo();
      }
    });
  }

  /** Makes the queue pair, then sets it up. */
  final void makePair() {
    working++;
    device.channel(loop).onComplete(channel -> {
      try {
        Loops.run(loop, () -> channelMade(channel));
      } catch (RejectedExecutionException e) {
        // Vert.x has ended.
      }
    });
  }

  private void channelMade(AsyncResult<CompletionChannel> channel) {
    working--;
    if (channel.failed()) {
      fail((VerbsException) channel.cause());
    }
    if (failure != null) {
      undo();
    } else {
      makePair(channel.result());
    }
  }

  private void makePair(CompletionChannel channel) {
    working++;
    device.workers().run(loop, () -> NativePair.create(device.core(), device.device(), id, options,
        device.options().inlineBytes(), channel), done -> {
          working--;
          if (done.succeeded()) {
            made(done.result(), channel);
          } else {
            fail((VerbsException) done.cause());
            undo();
          }
        });
  }

  private void made(NativePair pair, CompletionChannel channel) {
    IbverbsConnection connection = new IbverbsConnection(context, pair, options, device, fence(), nudgeMillis());
    connection.life().whenGone().onComplete(done -> connectionGone());
    connection.whenDestroyed().onComplete(done -> gone.tryComplete());
    queuePair = new IbverbsQueuePair(given, domain, connection, device.revocations(),
        SocketAddress.inetSocketAddress(id.localAddress()), SocketAddress.inetSocketAddress(id.remoteAddress()));
    queuePair.facts(List.of(
        new TransportFact("device", device.device().describe()),
        new TransportFact("completions", channel.hops() ? "heard of by another thread, since Vert.x's transport is not"
            + " epoll's" : "heard of by the event loop itself"),
        new TransportFact("inline", pair.inline() + " bytes")));
    beforeSetup(queuePair);
    if (failure != null) {
      undo();
      return;
    }
    try {
      queuePair.setUp(setup);
    } catch (Throwable e) {
      // What the consumer throws is its own failure.
      promise.tryFail(e);
      fail(new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "The setup has failed: " + Causes.text(e), e));
      return;
    }
    connection.whenReceivesPosted(this::askFabric);
  }

  private Optional<TcpSendQueue> fence() {
    return device.device().softwareIwarp() ? Optional.of(new TcpSendQueue(id.localAddress(), id.remoteAddress()))
        : Optional.empty();
  }

  /** When the peer is woken, which may have overlooked what was sent first; 0 for never. */
  int nudgeMillis() {
    return 0;
  }

  /** The last moment before the consumer sees it. */
  void beforeSetup(IbverbsQueuePair made) {}

  private void askFabric() {
    if (failure != null) {
      return;
    }
    asked = true;
    queuePair.connection().asking();
    CmId.Parameters parameters = parameters();
    step(device.connecting(), () -> {
      try {
        ask(parameters);
        return null;
      } catch (NativeException e) {
        throw notAsked(e);
      }
    }, queuePair.connection()::asked);
  }

  private void established(CmEvent event) {
    ended = true;
    cancelDeadline();
    Settled settled = settled(event);
    queuePair.agreed(settled.privateData(), settled.outboundReads());
    queuePair.settled(new TransportFact("Reads", settled.outboundReads() + " outstanding at a time, " + inboundReads()
            + " of the peer served at a time"));
    if (queuePair.connection().open()) {
      promise.tryComplete(queuePair);
    } else {
      promise.tryFail(queuePair.connection().failure());
    }
  }

  /** The consumer has closed it before it was up, or it has failed. */
  private void connectionGone() {
    ended = true;
    cancelDeadline();
    promise.tryFail(failure != null ? failure : queuePair.connection().failure());
  }

  final void fail(VerbsException why) {
    if (ended || failure != null) {
      return;
    }
    failure = why;
    cancelDeadline();
    promise.tryFail(why);
    undo();
  }

  /** Once nothing is under way. */
  private void undo() {
    if (working > 0 || undone) {
      return;
    }
    undone = true;
    if (queuePair != null) {
      queuePair.connection().end(Kind.NOT_ESTABLISHED, failure.getMessage());
    } else if (id == null) {
      gone.tryComplete();
    } else {
      CmId last = id;
      device.workers().run(() -> {
        last.destroy();
        gone.tryComplete();
      });
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  public final Future<Void> close() {
    try {
      Loops.run(loop, () -> {
        if (queuePair != null) {
          queuePair.close();
        } else {
          fail(PairDevice.closedException());
        }
      });
    } catch (RejectedExecutionException e) {
      // Vert.x has ended first.
      loop.terminationFuture().addListener(ended -> device.workers().run(this::abandon));
    }
    return gone.future();
  }

  /** The loop has ended: what is native goes all the same. On a worker. */
  private void abandon() {
    try {
      if (queuePair != null) {
        queuePair.connection().abandon();
      } else if (id != null) {
        id.destroy();
      }
    } finally {
      gone.tryComplete();
    }
  }

  @Override
  public final Future<Void> whenGone() {
    return gone.future();
  }
}
