// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.stream.MpaInitiator;
import dev.rpcrdma.siw.stream.StartupException;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.transport.Tls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.base.ZonedAddress;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** One attempt to connect: TCP, then MPA, then setup, all within one deadline. */
final class Initiator implements Link.Phase {

  /** What the peer has still to do. */
  private enum Stage {
    /** Accept the connection. */
    TCP,
    /** Finish the handshake, if there is to be one. */
    TLS,
    /** Answer the MPA Request. */
    REQUESTED,
    /** Finish the answer that has begun. */
    ANSWERED
  }

  /** What an end without a word may mean: MPA has none for it. */
  private static final String TURNED_AWAY = ". A peer does so that takes no more connections for now (one of siw, and"
      + " then its log names the limit: maxPendingPerAddress, maxPendingConnections or maxConnectionsPerAddress), or"
      + " that is no iWARP responder, or an old one, which fallbackToRevision1 is for";

  private final SiwDevice device;
  private final Context context;
  private final Context loopContext;
  private final HostProtectionDomain domain;
  private final ConnectionOptions options;
  private final QueuePairSetup setup;
  private final Promise<QueuePair> promise;
  private final Promise<Void> over = Promise.promise();
  private MpaInitiator mpa;
  private Link link;
  private ScheduledFuture<?> deadline;
  private SocketAddress remote;
  private Stage stage = Stage.TCP;
  private boolean plain;

  Initiator(SiwDevice device, Context context, HostProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    this.device = device;
    this.context = context;
    this.loopContext = Loops.onLoop(context);
    this.domain = domain;
    this.options = options;
    this.setup = setup;
    this.mpa = machine(true);
    this.promise = Contexts.promise(loopContext);
  }

  private MpaInitiator machine(boolean enhanced) {
    return new MpaInitiator(SiwDevice.offer(device.settings().crc(), enhanced,
        enhanced && device.settings().peerToPeer(), options));
  }

  Future<QueuePair> connect(SocketAddress address) {
    remote = address;
    try {
      Loops.run(Contexts.eventLoop(loopContext), this::start);
    } catch (RejectedExecutionException e) {
      done();
      // No context would call a listener of the promise's.
      return Future.failedFuture(Loops.ended(e));
    }
    return promise.future();
  }

  private void start() {
    if (device.isClosing()) {
      fail(SiwDevice.closedException());
      return;
    }
    try {
      begin();
    } catch (RejectedExecutionException e) {
      // A loop that is ending has taken this task, and refuses what it needs.
      fail(Loops.ended(e));
    }
  }

  private void begin() {
    deadline = Contexts.eventLoop(loopContext).schedule(() -> fail(VerbsException.Kind.TIMEOUT,
        unfinished() + " within " + options.timeout().toMillis() + " ms"
            + (stage == Stage.TCP ? "" : ". Perhaps something else listens there, such as HTTP"), null),
        options.timeout().toMillis(), TimeUnit.MILLISECONDS);
    open();
  }

  private String unfinished() {
    return switch (stage) {
      case TCP -> "No connection to " + remote;
      case TLS -> "The peer at " + remote + " accepted TCP but did not finish the TLS handshake";
      default -> "The peer at " + remote + " accepted TCP but did not finish the MPA startup";
    };
  }

  private void open() {
    VertxParts.connecting(device.vertx(), Contexts.eventLoop(loopContext))
        .handler(new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            link = new Link(channel, options.tls().map(keys -> Tls.client(keys, remote,
                device.settings().closeTimeoutMillis())), device.tap(), Initiator.this);
            link.install();
          }
        })
        .connect(target())
        .addListener(done -> {
          if (done.isSuccess()) {
            tcpConnected();
          } else {
            fail(VerbsException.Kind.UNREACHABLE, "Cannot connect to " + remote + ": "
                + Causes.message(done.cause()) + (done.cause() instanceof UnknownHostException
                    ? ". Is the name right?" : ". Is a server listening there?"), done.cause());
          }
        });
  }

  /** What was resolved already is not resolved again: its name is then for TLS alone. */
  private InetSocketAddress target() {
    String address = ZonedAddress.of(remote).hostAddress();
    return address == null ? InetSocketAddress.createUnresolved(remote.host(), remote.port())
        : new InetSocketAddress(address, remote.port());
  }

  private void tcpConnected() {
    if (promise.future().isComplete()) {
      link.close();
      return;
    }
    stage = Stage.TLS;
    link.handshake().addListener(done -> {
      if (done.isSuccess()) {
        secured();
      } else {
        insecure(Causes.message(done.cause()), done.cause());
      }
    });
  }

  private void insecure(String detail, Throwable cause) {
    fail(cause instanceof SslHandshakeTimeoutException ? VerbsException.Kind.TIMEOUT : VerbsException.Kind.PROTOCOL,
        "The TLS handshake with " + remote + " failed: " + detail
        + (isWrongName(cause) ? ". The certificate of the server does not have the name or address that was connected"
            + " to; what is compared is said by hostnameVerificationAlgorithm"
            : ". Do both sides have the option 'tls', and trust each other's certificates?"), cause);
  }

  /** The JDK says that a certificate is of somebody else by the text of a cause, and by nothing else. */
  private static boolean isWrongName(Throwable cause) {
    return Causes.of(cause).map(Causes::message).anyMatch(message ->
        message.contains("No subject alternative") || message.contains("No name matching"));
  }

  private void secured() {
    if (promise.future().isComplete()) {
      return;
    }
    stage = Stage.REQUESTED;
    link.connected(true);
    link.write(mpa.request());
  }

  @Override
  public int received(ByteBuffer in, int from, int to) {
    if (promise.future().isComplete()) {
      return to;
    }
    stage = Stage.ANSWERED;
    in.limit(to).position(from);
    try {
      if (mpa.receive(in)) {
        int next = in.position();
        in.clear();
        replied();
        return next;
      }
    } catch (StartupException e) {
      fail(VerbsException.Kind.PROTOCOL, e.getMessage() + " (" + remote + ")", e);
    }
    in.clear();
    return to;
  }

  private void replied() {
    if (mpa.rejected()) {
      fail(new ConnectionRejectedException("The peer at " + remote
          + " rejected the connection", Buffer.buffer(mpa.privateData())));
      return;
    }
    MpaAgreement agreement = mpa.agreement();
    SiwQueuePair queuePair = new SiwQueuePair(context, link, domain, options, device.settings(),
        true, agreement);
    if (agreement.refusal().isPresent()) {
      ConnectRefusal.send(link, agreement);
      fail(VerbsException.Kind.PROTOCOL, "The peer at " + remote + " accepted with terms that "
          + "this side cannot take: " + agreement.refusal().get(), null);
      return;
    }
    link.phase(queuePair.connection());
    device.add(queuePair.connection());
    try {
      queuePair.setUp(setup);
    } catch (Throwable e) {
      queuePair.close();
      fail(e);
      return;
    }
    if (queuePair.connection().open()) {
      done();
      promise.tryComplete(queuePair);
    } else {
      fail(VerbsException.Kind.CLOSED, "Closed during setup", null);
    }
  }

  @Override
  public void ended(boolean closed, String detail) {
    if (device.settings().fallbackToRevision1() && stage == Stage.REQUESTED && !plain
        && !promise.future().isComplete()) {
      retryPlain();
      return;
    }
    if (stage == Stage.TLS) {
      insecure(detail.isEmpty() ? "the peer closed" : detail, null);
      return;
    }
    fail(VerbsException.Kind.DISCONNECTED, "The peer at " + remote
        + " closed the connection before it answered the MPA Request"
        + (detail.isEmpty() ? "" : ": " + detail) + TURNED_AWAY, null);
  }

  /** RFC 6581 §10: a responder that knows only RFC 5044 closes on an enhanced Request. */
  private void retryPlain() {
    plain = true;
    stage = Stage.TCP;
    mpa = machine(false);
    link.phase(Link.Phase.OVER);
    link.close();
    open();
  }

  /** Gives up, since the device is being closed. */
  Future<Void> cancel() {
    try {
      Loops.run(Contexts.eventLoop(loopContext), () -> fail(SiwDevice.closedException()));
    } catch (RejectedExecutionException e) {
      // Vert.x has ended first, and its channels with it.
      done();
    }
    return over.future();
  }

  private void fail(VerbsException.Kind kind, String message, Throwable cause) {
    fail(new VerbsException(kind, message, cause));
  }

  private void fail(Throwable failure) {
    done();
    if (promise.tryFail(failure) && link != null) {
      link.close();
    }
  }

  private void done() {
    if (deadline != null) {
      deadline.cancel(false);
    }
    device.gone(this);
    over.tryComplete();
  }
}
