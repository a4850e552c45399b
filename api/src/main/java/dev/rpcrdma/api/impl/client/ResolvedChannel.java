// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.call.ClientCall;
import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Future;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.Address;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A channel to an address that stands for servers: one part for each server that was chosen, as long as the address
 * lists it.
 */
final class ResolvedChannel extends CompositeChannel {

  private static final Logger LOG = LoggerFactory.getLogger(ResolvedChannel.class);

  private final RpcClientImpl client;
  private final Address address;
  private final Addresses addresses;
  private final Resolution resolution;
  /** Of calls whose replies servers keep together. */
  private final CallSlots slots = new CallSlots();
  /** Those that take calls; changed while guarded by this. */
  private final Map<ServerPlace, ChannelServer> servers = new ConcurrentHashMap<>();
  /** Those that have left, and are being closed. */
  private final Set<ChannelServer> leaving = ConcurrentHashMap.newKeySet();
  /** Whether the servers are asked for to see which have left. */
  private final AtomicBoolean checking = new AtomicBoolean();
  /** Whether that failed last; changed while {@link #checking} is set. */
  private volatile boolean failing;
  /** Set while guarded by this, read anywhere. */
  private volatile List<ServerEndpoint> listed = List.of();
  /** Why nothing can be chosen; null if something was. */
  private volatile String failure;

  ResolvedChannel(RpcClientImpl client, Address address, Addresses addresses) {
    super(client, address);
    this.client = client;
    this.address = address;
    this.addresses = addresses;
    this.resolution = new Resolution(address, addresses, mostWaiting(), this::drained);
    addresses.add(this);
    closeFuture().onComplete(done -> addresses.remove(this));
  }

  /** How many calls may wait until the servers are known. */
  int mostWaiting() {
    return client.options().getMaxQueuedCalls();
  }

  Resolution resolution() {
    return resolution;
  }

  // What is done

  @Override
  <T> Future<T> choose(RpcRequest<T> request) {
    RpcClientOptions options = client.options();
    CallSlots.Slot slot = request.options().replicatedReplies() && !request.readOnly() ? slots.take() : null;
    ClientCall<T> call;
    try {
      call = ClientCall.of(slot == null ? request : IdentifiedRequest.of(request, slot.identity()), context(),
          options);
    } catch (RpcException e) {
      if (slot != null) {
        slot.free();
      }
      return Contexts.failedFuture(CallerContext.orElse(context()), e);
    }
    boolean harmless = request.readOnly() && options.getReplay() != Replay.NEVER;
    return new RoutedTask<>(this, new CallTask<>(call, harmless, slot)).begin();
  }

  @Override
  public Future<RpcConnection> connect() {
    Duration timeout = client.options().getConnectTimeout();
    return new RoutedTask<>(this, new ConnectTask(CallerContext.orElse(context()), timeout)).begin();
  }

  // Choosing

  /**
   * Chooses a server: the one that the load balancer says. If that was tried, or its connection is not up though it has
   * been, one of the others.
   *
   * @param key what the load balancer goes by; null if there is none
   * @param tried those that must not be chosen
   * @return null if there is none
   * @throws RuntimeException what a resolver or a load balancer throws
   */
  Selection choose(Endpoint endpoint, String key, Set<ServerPlace> tried) {
    List<ServerEndpoint> all = endpoint.servers();
    update(all);
    ServerEndpoint first = key == null ? endpoint.selectServer() : endpoint.selectServer(key);
    ServerEndpoint chosen = first != null && !tried.contains(ServerPlace.of(first)) && isUp(first)
        ? first : another(all, first, key, tried);
    if (chosen == null) {
      return null;
    }
    failure = null;
    ChannelServer server = entered(ServerPlace.of(chosen));
    if (listed != all) {
      leaveIfUnlisted(server);
    }
    return new Selection(server, chosen);
  }

  /** A newer answer may have come between the choice and the server that was made for it, and has not seen that one. */
  private synchronized void leaveIfUnlisted(ChannelServer server) {
    if (listed.stream().noneMatch(each -> ServerPlace.of(each).equals(server.place()))) {
      server.leave();
    }
  }

  private boolean isUp(ServerEndpoint endpoint) {
    ChannelServer server = servers.get(ServerPlace.of(endpoint));
    if (server == null || !server.part().isDown()) {
      return true;
    }
    // No call brings it back as long as they go elsewhere.
    server.part().revive();
    return false;
  }

  private ServerEndpoint another(List<ServerEndpoint> all, ServerEndpoint first, String key,
      Set<ServerPlace> tried) {
    int after = first == null ? 0 : all.indexOf(first) + 1;
    List<ServerEndpoint> left = Stream.concat(all.stream().skip(after), all.stream().limit(after))
        .filter(each -> !tried.contains(ServerPlace.of(each))).toList();
    List<ServerEndpoint> up = left.stream().filter(this::isUp).toList();
    List<ServerEndpoint> choice = up.isEmpty() ? left : up;
    return choice.isEmpty() ? null : choice.get(index(choice, key));
  }

  /** As the load balancer chooses among some of the servers. */
  private int index(List<ServerEndpoint> choice, String key) {
    if (choice.size() == 1) {
      return 0;
    }
    LoadBalancer balancer = addresses.balancer();
    ServerSelector selector = balancer.selector(choice);
    int index = key == null ? selector.select() : selector.select(key);
    return index < 0 || index >= choice.size() ? 0 : index;
  }

  /** It was asked for, and nothing could be chosen. */
  void unresolved(String why) {
    failure = why;
  }

  @Override
  String failure() {
    return failure;
  }

  // Servers

  private ChannelServer entered(ServerPlace place) {
    while (true) {
      ChannelServer server = servers.get(place);
      if (server == null) {
        server = make(place);
      }
      if (server.enter()) {
        return server;
      }
      // It has left just now, and is listed again.
      servers.remove(place, server);
    }
  }

  private synchronized ChannelServer make(ServerPlace place) {
    if (isClosing()) {
      throw new RpcClosedException("The channel is closed");
    }
    ChannelServer known = servers.get(place);
    if (known != null) {
      return known;
    }
    ServerChannel part = client.part(place.address(), () -> listsOtherThan(place));
    adopt(part);
    ChannelServer made = new ChannelServer(place, part, this::end);
    servers.put(place, made);
    return made;
  }

  /** Whether what waits for a server may go to another one; a server that is listed twice is one. */
  private boolean listsOtherThan(ServerPlace place) {
    return listed.stream().anyMatch(each -> !ServerPlace.of(each).equals(place));
  }

  /** Looks which servers have left. */
  private void update(List<ServerEndpoint> all) {
    if (all != listed) {
      synchronized (this) {
        listed = all;
        Set<ServerPlace> there = all.stream().map(ServerPlace::of).collect(Collectors.toSet());
        servers.forEach((place, server) -> {
          if (there.contains(place)) {
            server.stay();
          } else {
            server.leave();
          }
        });
      }
      if (!isFull()) {
        // One of those that are new may have the room that others wait for.
        drained();
      }
    }
  }

  /** Looks which servers have left, also if nobody calls: as long as there is a server, the address stays known. */
  void check() {
    if (servers.isEmpty() || !checking.compareAndSet(false, true)) {
      return;
    }
    try {
      addresses.lookUp(address, this::checked);
    } catch (Throwable e) {
      // Errors too: the timer would end, and with it the check of other channels.
      checked(null, e);
    }
  }

  private void checked(Endpoint endpoint, Throwable cause) {
    Throwable failed = cause;
    if (cause == null) {
      try {
        update(endpoint.servers());
      } catch (Throwable e) {
        failed = e;
      }
    }
    if (failed != null && !failing) {
      LOG.warn("Which servers of " + name() + " have left cannot be told; its resolver is asked each second. Said once"
          + " until it answers", failed);
    }
    failing = failed != null;
    checking.set(false);
  }

  /** It has left, and nothing that it was given is without an outcome. */
  private void end(ChannelServer server) {
    leaving.add(server);
    servers.remove(server.place(), server);
    try {
      // In a turn of its own: the last outcome may be told from inside its machine.
      loop().execute(() -> server.part().close().onComplete(closed -> leaving.remove(server)));
    } catch (RejectedExecutionException e) {
      leaving.remove(server);
    }
  }

  @Override
  List<ServerChannel> parts() {
    // First those that may be leaving just now, lest one is seen in neither.
    List<ChannelServer> all = new ArrayList<>(servers.values());
    leaving.stream().filter(server -> !all.contains(server)).forEach(all::add);
    return all.stream().map(ChannelServer::part).toList();
  }

  @Override
  boolean isFull() {
    if (resolution.isFull()) {
      return true;
    }
    List<ChannelServer> all = listed.stream().map(endpoint -> servers.get(ServerPlace.of(endpoint))).toList();
    // A server that is down gets no call as long as there is another one.
    boolean oneIsUp = all.stream().anyMatch(server -> server == null || !server.part().isDown());
    return !all.isEmpty() && all.stream().filter(server -> server == null || !oneIsUp || !server.part().isDown())
        .allMatch(server -> server != null && server.part().writeQueueFull());
  }

  @Override
  void stop() {
    resolution.close().forEach(waiter -> ((RoutedTask<?>) waiter).closed());
  }
}
