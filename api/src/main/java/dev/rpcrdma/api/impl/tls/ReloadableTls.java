// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.tls;

import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.tls.TlsLoader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.function.Function;

/**
 * Keys and certificates: read when they are first needed, and replaced as a whole. Safe for all threads.
 *
 * @param <O> the options that name them
 * @param <T> what is read
 */
public final class ReloadableTls<O extends SSLOptions, T> {

  private final Function<O, Future<T>> loader;
  /** Guarded by this; never changed itself. */
  private O options;
  /** Guarded by this: null until needed. */
  private Future<T> loaded;
  /** Guarded by this: updates come one after the other, so that the last one counts. */
  private Future<Boolean> updating = Future.succeededFuture(false);

  private ReloadableTls(O options, Function<O, Future<T>> loader) {
    this.options = options;
    this.loader = loader;
  }

  /** Of a side that connects. */
  public static ReloadableTls<ClientSSLOptions, ClientTls> client(Vertx vertx, ClientSSLOptions options) {
    return new ReloadableTls<>(options.copy(), wanted -> TlsLoader.client(vertx, wanted));
  }

  /** Of a side that listens. */
  public static ReloadableTls<ServerSSLOptions, ServerTls> server(Vertx vertx, ServerSSLOptions options) {
    return new ReloadableTls<>(options.copy(), wanted -> TlsLoader.server(vertx, wanted));
  }

  /** What is in force, or why it cannot be read; then it is tried again the next time. */
  public synchronized Future<T> get() {
    if (loaded == null || loaded.failed()) {
      loaded = loader.apply(options);
    }
    return loaded;
  }

  /** What is in force, once {@link #get} has succeeded. */
  public synchronized T now() {
    return loaded.result();
  }

  /** What says which options are in force. */
  public synchronized TlsKey key() {
    return TlsKey.of(options);
  }

  /**
   * Reads others, and replaces what is in force if they can be used.
   *
   * @param wanted that nobody changes
   * @param force also if they are the same, since files may have others in them
   * @return whether they are replaced; if it fails, what is in force stays so
   */
  public synchronized Future<Boolean> update(O wanted, boolean force) {
    updating = updating.transform(before -> replace(wanted, force));
    return updating;
  }

  private Future<Boolean> replace(O wanted, boolean force) {
    if (!force && key().equals(TlsKey.of(wanted))) {
      return Future.succeededFuture(false);
    }
    Future<T> read = loader.apply(wanted);
    return read.map(done -> replaced(wanted, read));
  }

  private synchronized boolean replaced(O by, Future<T> read) {
    options = by;
    loaded = read;
    return true;
  }
}
