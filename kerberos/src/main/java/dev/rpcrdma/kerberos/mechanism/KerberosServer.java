// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
import dev.rpcrdma.kerberos.contexts.ContextListener;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.gss.GssServerSettings;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.security.Authenticator;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Contexts of Kerberos with those who call. All servers of one Vert.x with the same options have them together: a client
 * may make a context with one of them, and use it with another that is behind the same address.
 */
public final class KerberosServer implements SecurityMechanism.Acceptor {

  /** As much as Linux has. */
  private static final int WINDOW = 128;
  private static final int UNFINISHED = 256;
  private static final long UNFINISHED_SECONDS = 10;
  private static final int HANDLE_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record Key(Vertx vertx, JsonObject options) {}

  /** Guarded by itself. */
  private static final Map<Key, KerberosServer> ALL = new HashMap<>();

  private final Key key;
  private final SecurityThreads threads;
  private final GssServer server;
  /** Guarded by {@link #ALL}. */
  private int users;

  private KerberosServer(Key key, KerberosOptions options) {
    this.key = key;
    this.threads = new SecurityThreads(key.vertx);
    this.server = new GssServer(new GssServerSettings(options.getMaxContexts(), UNFINISHED, WINDOW,
        TimeUnit.SECONDS.toNanos(UNFINISHED_SECONDS)), Kerberos.acceptor(options), KerberosServer::handle, threads,
        System::nanoTime, Authenticator.PLAIN);
  }

  private static byte[] handle() {
    byte[] handle = new byte[HANDLE_BYTES];
    RANDOM.nextBytes(handle);
    return handle;
  }

  /**
   * Joins, or becomes the first of, those who have them; each calls {@link #close} once.
   *
   * @param options checked
   */
  public static KerberosServer acquire(Vertx vertx, KerberosOptions options) {
    Key key = new Key(vertx, options.toJson());
    synchronized (ALL) {
      KerberosServer server = ALL.computeIfAbsent(key, made -> new KerberosServer(key, options));
      server.users++;
      return server;
    }
  }

  @Override
  public void close() {
    synchronized (ALL) {
      if (--users > 0) {
        return;
      }
      ALL.remove(key);
    }
    threads.close();
  }

  @Override
  public Authenticator authenticator() {
    return server;
  }

  @Override
  public Future<SecurityMechanism.Listening> listen(Context loop, SocketAddress address,
      List<UpperLayerBinding> bindings, SecurityMechanism.Admission admission) {
    return ContextListener.listen(loop, address, bindings, server, admission).map(listener -> listener);
  }

  /** For what takes long. */
  SecurityThreads threads() {
    return threads;
  }
}
