// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.impl.memory.MemoryPools;
import dev.rpcrdma.api.impl.memory.SendPools;
import dev.rpcrdma.api.impl.replies.ReplyRooms;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import dev.rpcrdma.verbs.support.NoTls;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An open device with one protection domain, shared by all clients and servers of
 * a Vert.x instance that want the same provider with the same settings, and closed by the last of
 * them.
 */
public final class SharedDevice {

  private record Key(Vertx vertx, String provider, JsonObject settings, String capture) {}

  /** Guarded by itself. */
  private static final Map<Key, SharedDevice> OPEN = new HashMap<>();

  private final Key key;
  private final Future<Opened> opened;
  /** Guarded by {@link #OPEN}. */
  private int users;

  /** What is open, by a provider. */
  public record Opened(String provider, VerbsDevice device, ProtectionDomain domain, MemoryPools pools,
      SendPools sends, ReplyRooms rooms) {

    /**
     * Refuses TLS that the device has not: it may not even look for it.
     *
     * @param wanted present if there is to be TLS
     * @throws dev.rpcrdma.verbs.VerbsException of kind UNSUPPORTED if it has none
     */
    public void checkTls(Optional<?> wanted) {
      if (!device.attributes().tls()) {
        NoTls.check(provider, wanted);
      }
    }
  }

  private record Named(String provider, VerbsDevice device) {}

  private SharedDevice(Key key) {
    this.key = key;
    // Not by a worker of whoever happens to be first, whose verticle may end.
    Context context = Contexts.newEventLoop(key.vertx);
    this.opened = context.executeBlocking(() -> open(key), false).map(named -> {
      VerbsDevice device = named.device();
      ProtectionDomain domain = device.allocateProtectionDomain();
      return new Opened(named.provider(), device, domain, new MemoryPools(key.vertx, domain, device.name()),
          new SendPools(key.vertx, domain), new ReplyRooms(key.vertx, device.name()));
    });
  }

  private static Named open(Key key) {
    VerbsProvider provider = key.provider.isEmpty() ? VerbsProviders.preferred()
        : VerbsProviders.named(key.provider);
    return new Named(provider.name(), provider.open(key.vertx, new DeviceOptions(key.settings,
        key.capture.isEmpty() ? Optional.empty() : Optional.of(Path.of(key.capture)))));
  }

  /** Joins, or becomes the first of, the users of a device; each calls {@link #release} once. */
  public static SharedDevice acquire(Vertx vertx, ProviderOptions provider, String capture) {
    Key key = new Key(vertx, provider.name(), provider.settings(), capture);
    synchronized (OPEN) {
      SharedDevice device = OPEN.get(key);
      if (device == null || device.opened.failed()) {
        device = new SharedDevice(key);
        OPEN.put(key, device);
      }
      device.users++;
      return device;
    }
  }

  /** What is open, or a {@link dev.rpcrdma.verbs.VerbsException}. */
  public Future<Opened> opened() {
    return opened;
  }

  /** Leaves; the last user closes pool, domain and device. */
  public Future<Void> release() {
    synchronized (OPEN) {
      if (--users > 0) {
        return Future.succeededFuture();
      }
      OPEN.remove(key, this);
    }
    return opened.transform(result -> result.failed() ? Future.succeededFuture()
        : close(result.result()));
  }

  private static Future<Void> close(Opened opened) {
    return opened.device().close()
        .eventually(() -> opened.sends().close())
        .eventually(() -> opened.pools().close())
        .eventually(() -> opened.domain().close())
        .onComplete(closed -> opened.rooms().close());
  }
}
