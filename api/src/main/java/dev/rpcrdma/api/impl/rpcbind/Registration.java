// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindPolicy;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.protocol.rpcbind.UniversalAddressException;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a server has registered with the rpcbind of its host. From any thread. */
public final class Registration {

  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

  private record Key(Vertx vertx, int port, Rpcb entry) {}

  /** Guarded by itself: how many servers, such as instances of a verticle, have the same registration. */
  private static final Map<Key, Integer> SHARED = new HashMap<>();

  private final Vertx vertx;
  private final RpcServerOptions options;
  private final LocalRpcbind rpcbind;
  private final List<Rpcb> wanted = new ArrayList<>();
  /** Guarded by this: what is to be taken back. */
  private final List<Rpcb> registered = new ArrayList<>();
  /** Entries that rpcbind has taken; guarded by this. */
  private final Set<Rpcb> taken = new HashSet<>();

  /**
   * That of a server which listens.
   *
   * @param options which rpcbind, and what if it fails
   * @param services what is bound
   * @param addresses where it listens; empty if that is no address
   */
  public Registration(Vertx vertx, RpcServerOptions options, List<UpperLayerBinding> services,
      List<UniversalAddress> addresses) {
    this.vertx = vertx;
    this.options = options;
    this.rpcbind = LocalRpcbind.of(vertx, options.getRpcbindPort(),
        RpcbindOptions.DEFAULT.withTimeout(options.getConnectTimeout()));
    for (UpperLayerBinding service : services) {
      for (UniversalAddress address : addresses) {
        wanted.add(new Rpcb(service.program(), service.version(), address.rdmaNetid(), address.toString(),
            System.getProperty("user.name", "")));
      }
    }
  }

  /**
   * What others connect to.
   *
   * @param host that was asked for, which alone tells IPv4 from all addresses
   * @param listens where it listens
   * @return both families for all addresses of IPv6, whose listeners take IPv4 too
   */
  public static List<UniversalAddress> addresses(String host, SocketAddress listens) {
    try {
      UniversalAddress asked = new UniversalAddress(SocketHosts.withoutZone(host), listens.port());
      return asked.isWildcard() && asked.isIpv6() ? List.of(asked, asked.withHost(UniversalAddress.ANY))
          : List.of(asked);
    } catch (UniversalAddressException e) {
      // It was a name.
      String found = listens.hostAddress() == null ? listens.host() : listens.hostAddress();
      try {
        return List.of(new UniversalAddress(SocketHosts.withoutZone(found), listens.port()));
      } catch (UniversalAddressException none) {
        return List.of();
      }
    }
  }

  /** Registers; fails, with all taken back, only if the options require what has failed. */
  public Future<Void> begin() {
    Future<Void> all = Future.succeededFuture();
    for (Rpcb entry : wanted) {
      all = all.compose(done -> register(entry));
    }
    return all.recover(e -> {
      if (options.getRpcbind() != RpcbindPolicy.REQUIRE) {
        LOG.warn("A server is not registered with the rpcbind of its host: " + Causes.message(e));
        return Future.succeededFuture();
      }
      return end().transform(done -> Future.failedFuture(new RpcListenException(
          "The server could not be registered with the rpcbind of its host (rpcbind=REQUIRE): " + Causes.message(e), e)));
    });
  }

  private Future<Void> register(Rpcb entry) {
    synchronized (this) {
      registered.add(entry);
    }
    Key key = new Key(vertx, options.getRpcbindPort(), entry);
    boolean first;
    synchronized (SHARED) {
      first = SHARED.merge(key, 1, Integer::sum) == 1;
    }
    // Others of this address have replaced what was there before; doing it again would take theirs back for a moment.
    Future<Boolean> free = first ? rpcbind.unregister(entry) : Future.succeededFuture(true);
    return free.compose(done -> rpcbind.register(entry)).compose(done -> {
      if (!done) {
        return Future.failedFuture(new IllegalStateException("rpcbind does not take " + entry));
      }
      synchronized (this) {
        taken.add(entry);
      }
      return Future.succeededFuture();
    });
  }

  /** Takes back what nobody else has registered; what fails is logged. */
  public Future<Void> end() {
    List<Rpcb> all;
    synchronized (this) {
      all = List.copyOf(registered);
      registered.clear();
    }
    Future<Void> ended = Future.succeededFuture();
    for (Rpcb entry : all) {
      if (isLast(entry)) {
        ended = ended.compose(done -> rpcbind.unregister(entry).<Void>mapEmpty().recover(e -> {
          if (wasTaken(entry)) {
            LOG.warn("What a server has registered with the rpcbind of its host stays there: " + Causes.message(e));
          }
          return Future.succeededFuture();
        }));
      }
    }
    return ended;
  }

  /** Whether rpcbind has said that it has the entry: nothing else can be said to stay there. */
  private synchronized boolean wasTaken(Rpcb entry) {
    return taken.contains(entry);
  }

  private boolean isLast(Rpcb entry) {
    Key key = new Key(vertx, options.getRpcbindPort(), entry);
    synchronized (SHARED) {
      return SHARED.merge(key, -1, (many, one) -> many + one == 0 ? null : many + one) == null;
    }
  }
}
