// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.ClientSnapshot;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.impl.call.Attempt;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.connection.Announcements;
import dev.rpcrdma.api.impl.connection.CallChannel;
import dev.rpcrdma.api.impl.connection.PeerMemory;
import dev.rpcrdma.api.impl.connection.RpcConnectionImpl;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.api.impl.security.TokenHandles;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.Session;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of a server, over all its connections: what it has called, and the calls to it. They wait
 * until it is back and has said again what it serves.
 */
final class ClientPeer implements RpcCaller {

  /** It is the client who connects; these only have to be valid. */
  private static final long UNUSED_DELAY = 1;
  private static final String REPLACED = "The client has connected anew";

  private final Session session;
  private final ClientKey key;
  private final boolean foreign;
  private final int slotBits;
  private final int reverseSlotBits;
  private final Context context;
  private final CallPolicy policy;
  /** With the client; null if calls to it are not protected. */
  private final PeerContexts contexts;
  private final CallChannel channel;
  private final RpcCaller calling;
  private final TokenHandles handles = new TokenHandles();
  /** All that are being accepted, or have been and have not ended. */
  private final Set<RpcConnectionImpl> connections = new HashSet<>();
  private InstanceId lastSession;
  private int arrivals;
  /** The connection that calls go over. */
  private RpcConnectionImpl up;
  /** The latest one; it becomes that when it has announced and the other has ended. */
  private RpcConnectionImpl latest;
  private boolean announced;
  /** What it has announced last, and from where. */
  private Announcements said = new Announcements();
  /** Set on the loop, read anywhere. */
  private volatile SocketAddress address;
  /** What it has told by a protocol of its own, over any connection: it will do so again. */
  private final Set<Announcements.Announced> signalled = new HashSet<>();

  ClientPeer(Session session, ClientKey key, Context context, RpcServerOptions options,
      CallPolicy policy, ClientContexts contexts) {
    this.session = session;
    this.key = key;
    this.foreign = key.foreign();
    this.slotBits = XidSlots.bitsFor(options.getForwardCredits());
    this.reverseSlotBits = XidSlots.bitsFor(options.getReverseCredits());
    this.context = context;
    this.contexts = foreign ? null : contexts.with(this::host);
    this.policy = this.contexts != null ? policy.protectedBy(this.contexts)
        : contexts.wanted() ? policy.protectedBy(ClientContexts.NO_SESSION) : policy;
    this.channel = new CallChannel(context, this.policy, new ChannelSettings(Replay.SAFE,
        options.getMaxQueuedCalls(), 0, UNUSED_DELAY, UNUSED_DELAY), () -> { }, () -> false);
    this.calling = policy.interceptors().around(
        this.policy.caller(context, () -> address, call -> channel.onLoop(() -> made(call))));
  }

  private String host() {
    return address.host();
  }

  Session session() {
    return session;
  }

  ClientKey key() {
    return key;
  }

  /** How many connections of it are being accepted, or have been and have not ended; 0 of a foreign one. */
  int connections() {
    return connections.size();
  }

  /** What is remembered of it. */
  ClientSnapshot snapshot() {
    return new ClientSnapshot(foreign ? Optional.empty() : key.instance(), connections.size(), session.calls().size(),
        session.calls().bytes(), session.calls().largeBytes(), channel.pendingCalls());
  }

  /**
   * A connection of it is about to be accepted: nothing that its earlier ones still bring counts, since the
   * client repeats over the new one what was not answered.
   *
   * @return what the connection begins with
   */
  PeerMemory arrives() {
    if (foreign) {
      // All clients of a host share what is remembered of them; what is called here are connections.
      return new PeerMemory(Optional.empty(),
          new XidSlots(reverseSlotBits, ThreadLocalRandom.current().nextInt()), session.calls(), policy);
    }
    arrivals++;
    List.copyOf(connections).forEach(earlier -> earlier.fence(REPLACED));
    channel.machine().met(Optional.of(session.id()), session.id().equals(lastSession));
    lastSession = session.id();
    return new PeerMemory(Optional.of(SessionBlock.ofServer(slotBits, session.id())), session.xids(),
        session.calls(), handles, policy);
  }

  /** Which of its connections has arrived last; to be asked when {@link #arrives} has been called. */
  int arrivals() {
    return arrivals;
  }

  /**
   * A connection is being accepted.
   *
   * @param arrival what {@link #arrivals} was when it arrived; if another one has come since, it is too late
   */
  void begins(RpcConnectionImpl connection, int arrival) {
    if (foreign) {
      return;
    }
    connections.add(connection);
    connection.closeFuture().onComplete(done -> connections.remove(connection));
    if (arrival != arrivals) {
      connection.fence(REPLACED);
    }
  }

  /** The connection has been made. */
  void connected(RpcConnectionImpl connection) {
    if (foreign) {
      return;
    }
    latest = connection;
    announced = false;
    address = connection.remoteAddress();
    if (contexts != null) {
      contexts.up(connection);
    }
    connection.peer(this, () -> {
      if (connection == latest) {
        announced = true;
        said = connection.announcements();
        signalled.addAll(said.signalled());
        bringUp();
      }
    });
    connection.closeFuture().onComplete(done -> ended(connection));
  }

  private void bringUp() {
    if (!announced || latest == null) {
      return;
    }
    if (up == null) {
      up = latest;
      channel.up(up);
    } else if (up == latest) {
      channel.resume();
    }
  }

  private void ended(RpcConnectionImpl connection) {
    if (contexts != null) {
      contexts.down(connection);
    }
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
    if (contexts != null) {
      contexts.close();
    }
    channel.close();
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return calling.call(request);
  }

  private void made(Attempt<?> call) {
    // While it is away, what it has said last holds.
    if (said.includes(call.program(), call.version())
        || signalled.contains(new Announcements.Announced(call.program(), call.version()))) {
      channel.call(call);
    } else {
      call.fail(said.refusal(call.request(), address));
    }
  }
}
