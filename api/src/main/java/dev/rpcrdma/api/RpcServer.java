// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.server.RpcServerImpl;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.metrics.Measured;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves programs. Belongs to the context it was built on, whose event loop owns the connections that it accepts; built
 * inside a verticle, it is closed when that is undeployed. Several servers of one Vert.x instance with the same
 * providers, capture and TLS may listen on the same address: clients go to them in turn, and each comes back to the one
 * that remembers it.
 *
 * <pre>{@code
 * RpcServer.builder(vertx).build()
 *     .bind(BlobStore.class, new BlobStoreImpl())
 *     .listen(SocketAddress.inetSocketAddress(20049, "0.0.0.0"));
 * }</pre>
 */
public interface RpcServer extends Measured {

  /**
   * Begins a server.
   *
   * @param vertx the instance it lives in
   * @return a builder
   */
  static RpcServerBuilder builder(Vertx vertx) {
    return new RpcServerBuilder(vertx);
  }

  /**
   * A server with default options.
   *
   * @param vertx the instance it lives in
   * @return the server
   */
  static RpcServer create(Vertx vertx) {
    return builder(vertx).build();
  }

  /**
   * A server with options of its own.
   *
   * @param vertx the instance it lives in
   * @param options what it wants; copied
   * @return the server
   */
  static RpcServer create(Vertx vertx, RpcServerOptions options) {
    return builder(vertx).with(options).build();
  }

  /**
   * Serves a program on all connections, those too that are up.
   *
   * @param service what to serve; called on duplicates of the current context, or of the server's
   *     own if there is none
   * @return this
   * @throws IllegalArgumentException if that version of the program is served already
   */
  RpcServer bind(RpcService service);

  /**
   * Serves an annotated interface on all connections, those too that are up.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return this
   */
  default <S> RpcServer bind(Class<S> type, S implementation) {
    return bind(ServiceBinding.of(type).service(implementation));
  }

  /**
   * Serves an annotated interface for some callers, on all connections, those too that are up.
   *
   * @param type the interface
   * @param implementation is called for each call that is accepted
   * @param access who may call; others are answered AUTH_TOOWEAK
   * @param <S> the interface
   * @return this
   */
  default <S> RpcServer bind(Class<S> type, S implementation, RpcAccess access) {
    return bind(ServiceBinding.of(type).service(implementation).restrictedTo(access));
  }

  /**
   * Serves a program no longer. Calls that its service has been given are answered; later ones are refused with
   * PROG_UNAVAIL, or PROG_MISMATCH if another version of the program is served. What was registered with rpcbind, or
   * advertised, says so until it is renewed or the server closes. A service that was bound inside another verticle than
   * the server's is unbound when that is undeployed.
   *
   * @param binding of the program; nothing happens if that version is not served
   * @return this
   */
  RpcServer unbind(UpperLayerBinding binding);

  /**
   * Serves an annotated interface no longer, as {@link #unbind(UpperLayerBinding)} says.
   *
   * @param type the interface
   * @return this
   */
  default RpcServer unbind(Class<?> type) {
    return unbind(ServiceBinding.of(type).upperLayerBinding());
  }

  /**
   * Serves an annotated interface with an implementation for each connection.
   *
   * @param type the interface
   * @param factory makes the implementation when a connection has come, or with the first call over one that was up
   *     before; on the connection's event loop, which it must not block. What it throws ends that connection. The
   *     implementation is called as for {@link #bind(RpcService)}
   * @param <S> the interface
   * @return this
   */
  <S> RpcServer bindPerConnection(Class<S> type, Function<RpcConnection, S> factory);

  /**
   * Serves an OPTIONAL header type on all connections to come.
   *
   * @param type what to serve
   * @return this
   * @throws IllegalArgumentException if its number is one of version 1's own, or registered already
   */
  RpcServer register(HeaderType type);

  /**
   * Hears of each connection before its first call is served.
   *
   * @param handler called on the connection's event loop; takes the place of the one before
   * @return this
   */
  RpcServer connectionHandler(Handler<RpcConnection> handler);

  /**
   * Starts to listen.
   *
   * @param address where; port 0 chooses a free one
   * @return this server; or a {@link RpcListenException}, or a {@link RpcClosedException} if it is closed
   */
  Future<RpcServer> listen(SocketAddress address);

  /**
   * Starts to listen.
   *
   * @param port where; 0 chooses a free one
   * @param host a name or address of this machine; 0.0.0.0 for all
   * @return this server; or a {@link RpcListenException}, or a {@link RpcClosedException} if it is closed
   */
  default Future<RpcServer> listen(int port, String host) {
    return listen(SocketAddress.inetSocketAddress(port, host));
  }

  /**
   * Listens on a port of TCP as well, for clients that make their security contexts of Kerberos there and use them over
   * RDMA, as Linux' NFS does (RFC 8166 §8.2.2.1). Each program that is bound by now answers procedure 0 there, which
   * makes and ends contexts, and nothing else. Without TLS in any case: contexts need none. The limits are those of
   * connections ({@link RpcServerOptions#getMaxConnections}, {@link RpcServerOptions#getMaxConnectionsPerHost}),
   * counted apart. It ends with the server.
   *
   * @param address where; port 0 chooses a free one
   * @return the port. Or a {@link RpcListenException}; an {@link IllegalStateException} if the server has no Kerberos
   *     ({@link RpcOptions#setKerberos}); a {@link RpcClosedException} if it is closed
   */
  Future<Integer> listenForContexts(SocketAddress address);

  /**
   * Where it listens.
   *
   * @return the port, or -1 if it does not listen
   */
  int actualPort();

  /**
   * What is bound.
   *
   * @return the bindings of its services, in the order in which they were bound; a copy
   */
  List<UpperLayerBinding> bindings();

  /**
   * What it listens with.
   *
   * @return the names of its providers' devices, in the order of its options; empty if it does not listen
   */
  List<String> devices();

  /**
   * How many connections are up.
   *
   * @return connections; for all servers behind one address, those of this one
   */
  int connectionCount();

  /**
   * How many calls it executes.
   *
   * @return calls that services have and somebody waits for, over connections that are up; for all servers behind one
   *     address, those of this one
   */
  int callCount();

  /**
   * Has something done before the server stops to accept connections, when it is {@linkplain #close closed} for
   * whatever reason, so that nobody who looks for a server comes any more. Until it is done the server serves as ever,
   * though not longer than {@link RpcOptions#getDrainTimeout}, or the time of {@link #shutdown}. What fails is logged,
   * and changes nothing else.
   *
   * @param action called once, on any thread; several are called in their order, and take their time together
   * @return this
   * @throws RpcClosedException if closing has begun
   */
  RpcServer beforeClose(Supplier<? extends Future<?>> action);

  /**
   * Replaces what connections are secured by, unless it is the same, as {@link #updateSSLOptions(ServerSSLOptions,
   * boolean)} does.
   *
   * @param options key, certificate and rules
   * @return true if they were replaced, false if they are the same; or why not
   */
  default Future<Boolean> updateSSLOptions(ServerSSLOptions options) {
    return updateSSLOptions(options, false);
  }

  /**
   * Replaces what connections are secured by ({@link RpcServerOptions#setTls}), for those that come from now on, to all
   * servers behind its address. Those that are up stay. Of several updates the last one counts.
   *
   * @param options key, certificate and rules; copied
   * @param force true to read them also if the options are the same, since files may have others in them
   * @return true if they were replaced, false if they are the same. Or a {@link RpcListenException} if they cannot be
   *     used, and what was in force stays so; an {@link IllegalStateException} if the server was made without TLS; a
   *     {@link RpcClosedException} if it is closed
   */
  Future<Boolean> updateSSLOptions(ServerSSLOptions options, boolean force);

  /**
   * What goes on in this server.
   *
   * @return a picture, of each connection a consistent one
   */
  Future<ServerSnapshot> snapshot();

  /**
   * Stops listening and closes its connections in good order. Idempotent; after the end of its Vert.x there is nothing
   * left to close.
   *
   * @return completes when all connections have ended and their memory is given back
   */
  Future<Void> close();

  /**
   * Closes as {@link #close()} does, with a time of the caller's own instead of {@link
   * RpcOptions#getDrainTimeout}. Also while it is closing: the time that ends first counts.
   *
   * @param timeout how long calls in flight may take to finish, with what is done {@linkplain #beforeClose before}; 0
   *     to 1 day
   * @return completes when all connections have ended and their memory is given back
   * @throws IllegalArgumentException if the time is negative or longer than a day
   */
  Future<Void> shutdown(Duration timeout);

  /** Collects what a server needs. */
  final class RpcServerBuilder extends RpcBuilder<RpcServerBuilder> {

    private final Vertx vertx;
    private RpcServerOptions options = new RpcServerOptions();
    private TokenVerifier tokens;

    RpcServerBuilder(Vertx vertx) {
      this.vertx = vertx;
    }

    @Override
    RpcServerBuilder self() {
      return this;
    }

    /**
     * Sets the options.
     *
     * @param value copied
     * @return this
     */
    public RpcServerBuilder with(RpcServerOptions value) {
      options = new RpcServerOptions(value);
      return this;
    }

    /**
     * Takes tokens from clients.
     *
     * @param verifier judges them
     * @return this
     */
    public RpcServerBuilder withTokens(TokenVerifier verifier) {
      tokens = Objects.requireNonNull(verifier, "verifier");
      return this;
    }

    /**
     * Ends building. The device is opened by {@link RpcServer#listen}.
     *
     * @return the server
     * @throws IllegalArgumentException if options of Kerberos cannot be
     * @throws IllegalStateException if this is an older Vert.x than this library needs
     */
    public RpcServer build() {
      return new RpcServerImpl(vertx, options, statistics(), interceptors(), tokens);
    }
  }
}
