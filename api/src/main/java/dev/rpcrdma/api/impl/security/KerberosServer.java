// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.impl.kerberos.Kerberos;
import dev.rpcrdma.protocol.gss.GssServer;
import dev.rpcrdma.protocol.gss.GssServerSettings;
import dev.rpcrdma.protocol.security.Authenticator;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Contexts of Kerberos with those who call. All servers of one Vert.x with the same options have them together: a client
 * may make a context with one of them, and use it with another that is behind the same address.
 */
public final class KerberosServer {

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
   * Joins, or becomes the first of, those who have them; each calls {@link #release} once.
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

  /** The last one ends them. */
  public void release() {
    synchronized (ALL) {
      if (--users > 0) {
        return;
      }
      ALL.remove(key);
    }
    threads.close();
  }

  /** Judges calls that have such contexts, and those that prove nothing. */
  public Authenticator authenticator() {
    return server;
  }

  /** For what takes long. */
  public SecurityThreads threads() {
    return threads;
  }
}
