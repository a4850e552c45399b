package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.channel.ChannelSettings;
import dev.rpcrdma.protocol.channel.Replay;
import dev.rpcrdma.protocol.channel.Session;
import dev.rpcrdma.protocol.connection.XidSequence;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of a server, over all its connections: what it has called, and the calls to it. They wait
 * until it is back and has said again what it serves.
 */
final class ClientPeer implements RpcCaller {

  /** It is the client who connects; these only have to be valid. */
  private static final long UNUSED_DELAY = 1;

  private final Session session;
  private final boolean stranger;
  private final ContextInternal context;
  private final PeerMemory memory;
  private final CallChannel channel;
  /** The connection that calls go over. */
  private RpcConnectionImpl up;
  /** The latest one; it becomes that when it has announced and the other has ended. */
  private RpcConnectionImpl latest;
  private boolean announced;
  /** What it has announced last, and from where. */
  private Announcements said = new Announcements();
  private SocketAddress address;

  ClientPeer(Session session, boolean stranger, ContextInternal context, RpcOptions<?> options) {
    this.session = session;
    this.stranger = stranger;
    this.context = context;
    XidSequence xids = new XidSequence(ThreadLocalRandom.current().nextInt());
    this.memory = new PeerMemory(stranger ? Optional.empty() : Optional.of(session.id()), xids,
        session.calls());
    this.channel = new CallChannel(context, options, new ChannelSettings(Replay.SAFE,
        options.getMaxQueuedCalls(), 0, UNUSED_DELAY, UNUSED_DELAY), xids, () -> { });
  }

  Session session() {
    return session;
  }

  PeerMemory memory() {
    return memory;
  }

  /** A connection of it is about to be accepted. */
  void arrives() {
    if (!stranger && latest != null) {
      // One at a time: the client has given the other one up, whether or not we have noticed.
      latest.abort("The client has connected anew");
    }
  }

  /** The connection has been made. */
  void connected(RpcConnectionImpl connection) {
    if (stranger) {
      return;
    }
    latest = connection;
    announced = false;
    address = connection.remoteAddress();
    connection.peer(this, () -> {
      if (connection == latest) {
        announced = true;
        said = connection.announcements();
        bringUp();
      }
    });
    connection.closeFuture().onComplete(done -> ended(connection));
  }

  private void bringUp() {
    if (up == null && announced && latest != null) {
      up = latest;
      channel.up(up);
    }
  }

  private void ended(RpcConnectionImpl connection) {
    if (up == connection) {
      up = null;
      channel.lost();
    }
    if (latest == connection) {
      latest = null;
    }
    bringUp();
  }

  /** It is forgotten, or the server closes. */
  void close() {
    channel.close();
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return EncodedCall.make(request, context, call -> channel.onLoop(() -> made(call)));
  }

  private void made(EncodedCall<?> call) {
    // While it is away, what it has said last holds.
    if (said.includes(call.program(), call.version())) {
      channel.call(call);
    } else {
      call.fail(said.refusal(call.program(), call.version(), address));
    }
  }
}
