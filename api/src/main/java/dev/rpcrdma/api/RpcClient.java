// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.client.RpcClientImpl;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.metrics.Measured;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Makes channels to servers. Belongs to the context it was built on, whose event loop owns its connections; of several
 * connections to one server ({@link RpcClientOptions#setConnections}) the first. Built inside a verticle, it is closed
 * when that is undeployed.
 *
 * <pre>{@code
 * RpcClient client = RpcClient.builder(vertx).build();
 * RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(20049, "127.0.0.1"));
 * channel.proxy(BlobStore.class).list("").onSuccess(System.out::println);
 * }</pre>
 */
public interface RpcClient extends Measured {

  /**
   * Begins a client.
   *
   * @param vertx the instance it lives in
   * @return a builder
   */
  static RpcClientBuilder builder(Vertx vertx) {
    return new RpcClientBuilder(vertx);
  }

  /**
   * A client with default options.
   *
   * @param vertx the instance it lives in
   * @return the client
   */
  static RpcClient create(Vertx vertx) {
    return builder(vertx).build();
  }

  /**
   * A client with options of its own.
   *
   * @param vertx the instance it lives in
   * @param options what it wants; copied
   * @return the client
   */
  static RpcClient create(Vertx vertx, RpcClientOptions options) {
    return builder(vertx).with(options).build();
  }

  /**
   * A channel to a server, or to all those that an address stands for. Connects with the first call, or by {@link
   * RpcChannel#connect()}.
   *
   * @param address where the server listens, a {@link SocketAddress}; a {@link RpcbindAddress}; or what the client's
   *     {@linkplain
   *     RpcClientBuilder#withAddressResolver resolver} takes. A {@link SocketAddress} that the resolver takes is
   *     resolved, too
   * @return a new channel, owned by the caller
   * @throws IllegalArgumentException if it is neither, and no resolver takes it
   * @throws RpcClosedException if the client is closed
   */
  RpcChannel channel(Address address);

  /**
   * A channel to a server. Connects with the first call, or by {@link RpcChannel#connect()}.
   *
   * @param port where the server listens
   * @param host its name or address
   * @return a new channel, owned by the caller
   * @throws RpcClosedException if the client is closed
   */
  default RpcChannel channel(int port, String host) {
    return channel(SocketAddress.inetSocketAddress(port, host));
  }

  /**
   * A channel to a version of a program on a host, whose rpcbind is asked at port 111 for the port of RDMA, as {@link
   * dev.rpcrdma.api.rpcbind.RpcbindAddress} says.
   *
   * @param host its name or address
   * @param program the program's number, unsigned
   * @param version its version, unsigned
   * @return a new channel, owned by the caller
   * @throws RpcClosedException if the client is closed
   */
  default RpcChannel channel(String host, int program, int version) {
    return channel(RpcbindAddress.of(host, program, version));
  }

  /**
   * Serves an OPTIONAL header type to servers, on all connections to come of all channels, and announces
   * it to those that understand our control program.
   *
   * @param type what to serve
   * @return this
   * @throws IllegalArgumentException if its number is one of version 1's own, or registered already
   */
  RpcClient register(HeaderType type);

  /**
   * Replaces what connections are secured by, unless it is the same, as {@link #updateSSLOptions(ClientSSLOptions,
   * boolean)} does.
   *
   * @param options keys, trust and rules
   * @return true if they were replaced, false if they are the same; or why not
   */
  default Future<Boolean> updateSSLOptions(ClientSSLOptions options) {
    return updateSSLOptions(options, false);
  }

  /**
   * Replaces what connections are secured by ({@link RpcClientOptions#setTls}), for those that are made from now on.
   * Those that are up stay. Of several updates the last one counts.
   *
   * @param options keys, trust and rules; copied
   * @param force true to read them also if the options are the same, since files may have others in them
   * @return true if they were replaced, false if they are the same. Or a {@link RpcConnectException} if they cannot be
   *     used, and what was in force stays so; an {@link IllegalStateException} if the client was made without TLS; a
   *     {@link RpcClosedException} if it is closed
   */
  Future<Boolean> updateSSLOptions(ClientSSLOptions options, boolean force);

  /**
   * Closes all channels. Idempotent.
   *
   * @return completes when all connections have ended and their memory is given back
   */
  Future<Void> close();

  /**
   * Closes as {@link #close()} does, with a time of the caller's own instead of {@link
   * RpcOptions#getDrainTimeout}. Also while it is closing: the time that ends first counts.
   *
   * @param timeout how long calls in flight may take to finish; 0 to 1 day
   * @return completes when all connections have ended and their memory is given back
   * @throws IllegalArgumentException if the time is negative or longer than a day
   */
  Future<Void> shutdown(Duration timeout);

  /** Collects what a client needs. */
  final class RpcClientBuilder extends RpcBuilder<RpcClientBuilder> {

    private final Vertx vertx;
    private RpcClientOptions options = new RpcClientOptions();
    private Supplier<Future<String>> token;
    private AddressResolver<?> resolver;
    private LoadBalancer balancer = LoadBalancer.ROUND_ROBIN;

    RpcClientBuilder(Vertx vertx) {
      this.vertx = vertx;
    }

    @Override
    RpcClientBuilder self() {
      return this;
    }

    /**
     * Sets the options.
     *
     * @param value copied
     * @return this
     */
    public RpcClientBuilder with(RpcClientOptions value) {
      options = new RpcClientOptions(value);
      return this;
    }

    /**
     * Has its calls made as somebody whose identity a token proves: it is sent to each server that a channel connects
     * to, once for each connection and again before its time is over, and calls carry a handle for it. Without TLS
     * whoever listens can read it.
     *
     * @param source gives the token, asked each time, on the connection's event loop, which it must not block. If it
     *     fails, so does connecting; a renewal is tried again each second
     * @return this
     */
    public RpcClientBuilder withToken(Supplier<Future<String>> source) {
      token = Objects.requireNonNull(source, "source");
      return this;
    }

    /**
     * Has addresses resolved, so that a channel goes to all servers that its address stands for: each call to one of
     * them, and to another one if it has certainly not been executed there.
     *
     * @param value says which servers there are; asked again when it says that its answer is not valid any more
     * @return this
     */
    public RpcClientBuilder withAddressResolver(AddressResolver<?> value) {
      resolver = Objects.requireNonNull(value, "resolver");
      return this;
    }

    /**
     * Sets how a server is chosen for each call, where an address is resolved.
     *
     * @param value one of core's or of one's own; by default {@link LoadBalancer#ROUND_ROBIN}
     * @return this
     */
    public RpcClientBuilder withLoadBalancer(LoadBalancer value) {
      balancer = Objects.requireNonNull(value, "balancer");
      return this;
    }

    /**
     * Ends building. The device is opened with the first connection.
     *
     * @return the client
     * @throws IllegalArgumentException if options contradict each other: those of Kerberos, Kerberos and a token, or a
     *     capture with several providers
     * @throws IllegalStateException if this is an older Vert.x than this library needs
     */
    public RpcClient build() {
      return new RpcClientImpl(vertx, options, statistics(), interceptors(), token,
          new RpcClientImpl.Routing(resolver, balancer));
    }
  }
}
