package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.ProtectionDomain;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;

/** The send buffers of a device, by event loop and length. Thread-safe; they end with the protection domain. */
public final class SendPools {

  private record Key(EventLoop loop, int length) {}

  private final Vertx vertx;
  private final ProtectionDomain domain;
  /** Guarded by itself. */
  private final Map<Key, Future<SendPool>> pools = new HashMap<>();

  public SendPools(Vertx vertx, ProtectionDomain domain) {
    this.vertx = vertx;
    this.domain = domain;
  }

  /** The buffers of a loop, as soon as there are some; fails if there is no memory for them. */
  public Future<SendPool> of(EventLoop loop, int length) {
    Key key = new Key(loop, length);
    synchronized (pools) {
      Future<SendPool> pool = pools.get(key);
      if (pool == null || pool.failed()) {
        SendPool made = new SendPool(vertx, loop, domain, length);
        pool = made.grow().map(made);
        pools.put(key, pool);
      }
      return pool;
    }
  }
}
