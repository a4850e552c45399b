// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.stream.MpaOffer;
import dev.rpcrdma.siw.stream.MpaResponder;
import dev.rpcrdma.siw.stream.StartupException;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.transport.Tls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One accepted TCP connection until the consumer has answered it. Starts on the listener's loop; an
 * acceptance moves the channel to the loop of the chosen context before anything more is read.
 */
final class PassiveSide implements Link.Phase, ConnectionRequest {

  private final SiwDevice device;
  private final SiwListener listener;
  private final Link link;
  private final MpaResponder mpa = new MpaResponder();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private ScheduledFuture<?> deadline;
  private boolean requested;
  private boolean ended;

  public PassiveSide(SiwDevice device, SiwListener listener, Channel channel) {
    this.device = device;
    this.listener = listener;
    this.link = new Link(channel,
        listener.tls().map(keys -> Tls.server(keys, device.settings().closeTimeoutMillis())), device.tap(), this);
    this.localAddress = SocketAddress.inetSocketAddress(link.localAddress());
    this.remoteAddress = SocketAddress.inetSocketAddress(link.remoteAddress());
  }

  void start() {
    link.install();
    link.connected(false);
    deadline = link.eventLoop().schedule(this::expired,
        device.settings().startupTimeoutMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public int received(ByteBuffer in, int from, int to) {
    if (requested || ended) {
      // RFC 5044 §7.1.2: nothing may follow the Request before the Reply.
      drop();
      return to;
    }
    in.limit(to).position(from);
    try {
      if (mpa.receive(in)) {
        requested = true;
        if (in.hasRemaining()) {
          drop();
        } else {
          complete();
        }
      }
    } catch (StartupException e) {
      // RFC 5044 §7.1.2: not a Request that can be understood; there is no one to tell.
      drop();
    }
    in.clear();
    return to;
  }

  private void complete() {
    deadline.cancel(false);
    deadline = link.eventLoop().schedule(this::expired,
        device.settings().startupTimeoutMillis(), TimeUnit.MILLISECONDS);
    listener.requested(this);
  }

  /**
   * Rejects a request that has not been answered, or one that comes within the time of a close; later
   * ones find nobody. Safe for all threads.
   */
  void listenerCloses() {
    try {
      Loops.run(link.eventLoop(), this::listenerClosesOnLoop);
    } catch (RejectedExecutionException e) {
      // Vert.x ends, and closes its channels.
    }
  }

  private void listenerClosesOnLoop() {
    if (ended || answered.get()) {
      return;
    }
    deadline.cancel(false);
    if (requested) {
      expired();
    } else {
      deadline = link.eventLoop().schedule(this::expired, device.settings().closeTimeoutMillis(),
          TimeUnit.MILLISECONDS);
    }
  }

  /** Where the peer is. */
  InetAddress address() {
    return link.remoteAddress().getAddress();
  }

  private void expired() {
    if (requested) {
      if (answered.compareAndSet(false, true)) {
        sendRejection(Buffer.buffer());
      }
    } else {
      drop();
    }
  }

  /** Closes without an answer. */
  private void drop() {
    answered.set(true);
    link.close();
  }

  @Override
  public void ended(boolean closed, String detail) {
    ended = true;
    deadline.cancel(false);
    listener.finished(this);
    if (!closed) {
      link.close();
    }
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public Buffer privateData() {
    return Buffer.buffer(mpa.privateData());
  }

  @Override
  public OptionalInt peerInboundReads() {
    return mpa.inboundReads();
  }

  @Override
  public OptionalInt peerOutboundReads() {
    return mpa.outboundReads();
  }

  @Override
  public Future<Void> reject(Buffer privateData) {
    return SiwDevice.failing(() -> {
      SiwDevice.checkPrivateData(privateData, device.attributes().rejectPrivateData());
      answer();
      Promise<Void> promise = Promise.promise();
      Loops.run(link.eventLoop(), () -> sendRejection(privateData).addListener(done -> {
        if (done.isSuccess()) {
          promise.complete();
        } else {
          promise.fail(lost());
        }
      }));
      return promise.future();
    });
  }

  private ChannelFuture sendRejection(Buffer privateData) {
    ChannelFuture written =
        link.write(mpa.rejection(device.settings().crc(), privateData.getBytes()));
    written.addListener(done -> link.shutdownOutput());
    link.eventLoop().schedule(() -> link.close(), device.settings().closeTimeoutMillis(),
        TimeUnit.MILLISECONDS);
    return written;
  }

  private void answer() {
    if (!answered.compareAndSet(false, true)) {
      throw new IllegalStateException("The connection request was answered before");
    }
  }

  @Override
  public Future<QueuePair> accept(Context context, ProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    return SiwDevice.failing(() -> {
      SiwDevice.check(options, device.attributes().acceptPrivateData());
      HostProtectionDomain checked = SiwDevice.checkDomain(domain);
      Context target = Loops.onLoop(context);
      Loops.check(Contexts.eventLoop(target));
      answer();
      Promise<QueuePair> promise = Contexts.promise(target);
      EventLoop from = link.eventLoop();
      Loops.run(from, () -> {
        deadline.cancel(false);
        if (ended || !link.channel().isActive()) {
          promise.fail(lost());
          return;
        }
        move(from, Contexts.eventLoop(target), promise,
            () -> start(context, checked, options, setup, promise));
      });
      return promise.future();
    });
  }

  /** Nothing is read while the channel changes its loop; what arrives stays with the kernel. */
  private void move(EventLoop from, EventLoop to, Promise<QueuePair> promise, Runnable then) {
    if (from == to) {
      then.run();
      return;
    }
    link.reading(false);
    link.channel().deregister().addListener(left ->
        to.register(link.channel()).addListener(joined -> {
          if (joined.isSuccess()) {
            then.run();
          } else {
            link.close();
            promise.tryFail(lost());
          }
        }));
  }

  private void start(Context context, HostProtectionDomain domain, ConnectionOptions options,
      QueuePairSetup setup, Promise<QueuePair> promise) {
    MpaOffer offer = SiwDevice.offer(device.settings().crc(), true, false, options);
    MpaAgreement agreement = mpa.accept(offer);
    SiwQueuePair queuePair = new SiwQueuePair(context, link, domain, options, device.settings(),
        false, agreement);
    link.reading(false);
    link.phase(queuePair.connection());
    listener.finished(this);
    device.add(queuePair.connection());
    try {
      queuePair.setUp(setup);
    } catch (Throwable e) {
      queuePair.close();
      promise.fail(e);
      return;
    }
    link.write(mpa.acceptance(offer, agreement))
        .addListener(done -> replied(queuePair, done.isSuccess(), promise));
  }

  private void replied(SiwQueuePair queuePair, boolean success, Promise<QueuePair> promise) {
    if (success && queuePair.connection().open()) {
      promise.complete(queuePair);
      link.reading(true);
    } else {
      queuePair.close();
      promise.fail(success ? new VerbsException(VerbsException.Kind.CLOSED, "Closed during setup")
          : lost());
    }
  }

  private VerbsException lost() {
    return new VerbsException(VerbsException.Kind.DISCONNECTED, "The peer at " + remoteAddress
        + " has gone before its connection was answered");
  }
}
