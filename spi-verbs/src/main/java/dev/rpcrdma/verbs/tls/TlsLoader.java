// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.tls.ClientSslContextManager;
import io.vertx.core.internal.tls.ServerSslContextManager;
import io.vertx.core.internal.tls.SslContextProvider;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Reads keys, certificates and revocation lists, as Vert.x does for its own clients and servers, with the TLS of the
 * JDK. Files are read anew each time, and never on an event loop. A caller may wait for it on a worker's thread: it
 * uses no context of the caller's, behind whose task it would wait.
 */
public final class TlsLoader {

  private TlsLoader() {}

  /**
   * Reads those of a side that connects. Without an algorithm the host is verified by {@code HTTPS} (RFC 2818).
   *
   * @param vertx finds the files
   * @param options what there is to be; copied
   * @return what was read, or a {@link VerbsException} of kind INVALID_ARGUMENT that says why it cannot be used
   */
  public static Future<ClientTls> client(Vertx vertx, ClientSSLOptions options) {
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    ClientSSLOptions wanted = options.copy();
    return loading(() -> {
      TlsRules.check(wanted);
      if (wanted.getHostnameVerificationAlgorithm() == null) {
        wanted.setHostnameVerificationAlgorithm("HTTPS");
      }
      return new ClientSslContextManager(new JdkSSLEngineOptions()).resolveSslContextProvider(wanted, context)
          .compose(read -> checked(context, read, () ->
              new LoadedClientTls(read.createClientContext(null), TlsRules.handshakeMillis(wanted))));
    });
  }

  /**
   * Reads those of a side that listens.
   *
   * @param vertx finds the files
   * @param options what there is to be; copied
   * @return what was read, or a {@link VerbsException} of kind INVALID_ARGUMENT that says why it cannot be used
   */
  public static Future<ServerTls> server(Vertx vertx, ServerSSLOptions options) {
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    ServerSSLOptions wanted = options.copy();
    return loading(() -> {
      TlsRules.check(wanted);
      return new ServerSslContextManager(new JdkSSLEngineOptions()).resolveSslContextProvider(wanted, context)
          .compose(read -> checked(context, read, () ->
              new LoadedServerTls(read, wanted.isSni(), TlsRules.handshakeMillis(wanted))));
    });
  }

  private static <T> Future<T> checked(ContextInternal context, SslContextProvider read, Callable<T> then) {
    return context.executeBlocking(() -> {
      KeyPairs.check(read.defaultKeyManagerFactory());
      return then.call();
    });
  }

  private static <T> Future<T> loading(Supplier<Future<T>> load) {
    try {
      return load.get().recover(e -> Future.failedFuture(unusable(e)));
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  private static VerbsException unusable(Throwable cause) {
    return cause instanceof VerbsException known ? known : new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
        "The TLS options cannot be used: " + cause.getMessage(), cause);
  }
}
