// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

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
    ClientSSLOptions wanted = options.copy();
    return loading(vertx, () -> TlsRules.check(wanted), () -> {
      if (wanted.getHostnameVerificationAlgorithm() == null) {
        wanted.setHostnameVerificationAlgorithm("HTTPS");
      }
      return new LoadedClientTls(SslContexts.client(wanted, read(vertx, wanted)), TlsRules.handshakeMillis(wanted));
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
    ServerSSLOptions wanted = options.copy();
    return loading(vertx, () -> TlsRules.check(wanted), () -> {
      Credentials credentials = read(vertx, wanted);
      SslContext context = SslContexts.server(wanted, credentials);
      return new LoadedServerTls(context, wanted.isSni() ? new ServerNames(wanted, credentials, context) : null,
          TlsRules.handshakeMillis(wanted));
    });
  }

  private static Credentials read(Vertx vertx, SSLOptions options) throws Exception {
    Credentials credentials = new Credentials(vertx, options);
    KeyPairs.check(credentials.keys());
    credentials.checkComplete(options);
    return credentials;
  }

  private static <T> Future<T> loading(Vertx vertx, Runnable check, Callable<T> load) {
    try {
      check.run();
    } catch (Throwable e) {
      return Future.failedFuture(unusable(e));
    }
    try {
      return Contexts.newEventLoop(vertx).executeBlocking(load)
          .recover(e -> Future.failedFuture(unusable(e)));
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(Loops.ended(e));
    }
  }

  private static VerbsException unusable(Throwable cause) {
    return cause instanceof VerbsException known ? known : new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
        "The TLS options cannot be used: " + Causes.message(cause), cause);
  }
}
