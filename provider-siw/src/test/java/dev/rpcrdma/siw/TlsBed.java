// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.tls.TlsLoader;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A device that listens and connects, with TLS or without. */
final class TlsBed implements AutoCloseable {

  private static final Duration LONG = Duration.ofSeconds(10);

  private final VerbsBed bed;

  TlsBed() {
    this(new JsonObject());
  }

  TlsBed(JsonObject settings) {
    bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(settings));
  }

  /** Listens, and takes whoever comes. */
  int listen(Optional<ServerSSLOptions> options) {
    return listen(options, bed::server);
  }

  private int listen(Optional<ServerSSLOptions> options, Supplier<Peer> peers) {
    Optional<Supplier<ServerTls>> tls = options.map(given -> {
      ServerTls loaded = Waiting.await(TlsLoader.server(bed.vertx(), given));
      return () -> loaded;
    });
    return Waiting.await(bed.device().listen(bed.context(), bed.anyPort(), new ListenOptions(tls), request ->
        bed.accept(request, peers.get(), ConnectionOptions.DEFAULT))).localAddress().port();
  }

  /** Connects, and tells how it fails; null if it does not. */
  VerbsException connect(int port, Optional<ClientSSLOptions> options) {
    return connect(port, options, LONG);
  }

  VerbsException connect(int port, Optional<ClientSSLOptions> options, Duration within) {
    return failure(connect(port, options, within, bed.client()));
  }

  /** Connects to this machine by a name, and tells how it fails; null if it does not. */
  VerbsException connect(String name, int port, ClientSSLOptions options) {
    return failure(connect(SocketAddress.inetSocketAddress(port, name), Optional.of(options), LONG, bed.client()));
  }

  private static VerbsException failure(Future<QueuePair> connected) {
    return (VerbsException) Waiting.await(
        connected.<Throwable>map(done -> null).recover(Future::succeededFuture));
  }

  private Future<QueuePair> connect(int port, Optional<ClientSSLOptions> options, Duration within, Peer client) {
    return connect(SocketAddress.inetSocketAddress(port, VerbsBed.HOST), options, within, client);
  }

  private Future<QueuePair> connect(SocketAddress to, Optional<ClientSSLOptions> options, Duration within,
      Peer client) {
    ConnectionOptions plain = ConnectionOptions.DEFAULT.withTimeout(within);
    ConnectionOptions wanted = options.map(given -> {
      ClientTls loaded = Waiting.await(TlsLoader.client(bed.vertx(), given));
      return plain.withTls(loaded);
    }).orElse(plain);
    return bed.connect(to, client, wanted);
  }

  /** A connection that is up. */
  VerbsBed.Pair pair(Optional<ServerSSLOptions> serving, Optional<ClientSSLOptions> connecting) {
    VerbsBed.Pair pair = new VerbsBed.Pair(bed.client(), bed.server());
    Waiting.await(connect(listen(serving, pair::server), connecting, LONG, pair.client()));
    pair.server().awaitEstablished();
    return pair;
  }

  @Override
  public void close() {
    bed.close();
  }
}
