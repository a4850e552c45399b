// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Servers behind one address, which a test starts, lists and ends as it likes. Closing it checks that nothing is left
 * behind.
 */
final class ServerGroup implements AutoCloseable {

  /** Where nobody listens. */
  static final SocketAddress NOBODY = SocketAddress.inetSocketAddress(1, RpcBed.HOST);
  static final Name ADDRESS = new Name("group");

  /** What the servers are called together; throws if it is asked for its words and is empty. */
  record Name(String name) implements Address {

    @Override
    public String toString() {
      if (name.isEmpty()) {
        throw new IllegalStateException("It has no name");
      }
      return name;
    }
  }

  /** One of them. */
  final class Member {

    final RpcServer server;
    final LedgerService ledger = new LedgerService(vertx);
    final EchoService echo = new EchoService();
    final List<RpcConnection> accepted = new CopyOnWriteArrayList<>();
    private final SocketAddress address;

    private Member(int port) {
      server = RpcServer.builder(vertx).with(serverOptions).build().bind(around.apply(ledger))
          .bind(around.apply(echo))
          .connectionHandler(accepted::add);
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(port, RpcBed.HOST)));
      address = SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
    }

    SocketAddress address() {
      return address;
    }
  }

  final Vertx vertx = Vertx.vertx();
  final RpcServerOptions serverOptions =
      new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500));
  final RpcClientOptions clientOptions =
      new RpcClientOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500));
  final List<Member> members = new ArrayList<>();
  final DeviceWatch watch = new DeviceWatch(vertx, clientOptions);
  /** What stands around services of members to come. */
  UnaryOperator<RpcService> around = UnaryOperator.identity();
  /** What the resolver answers. */
  volatile List<SocketAddress> listed = List.of();
  RpcClient client;

  Member start() {
    return startAt(0);
  }

  /** At a certain port. */
  Member startAt(int port) {
    Member member = new Member(port);
    members.add(member);
    return member;
  }

  /** Starts some, and lists them. */
  ServerGroup start(int count) {
    for (int i = 0; i < count; i++) {
      start();
    }
    return listAll();
  }

  ServerGroup listAll() {
    listed = members.stream().map(Member::address).toList();
    return this;
  }

  RpcChannel channel(LoadBalancer balancer) {
    return channel(balancer, resolver());
  }

  RpcChannel channel(LoadBalancer balancer, AddressResolver<?> resolver) {
    client = RpcClient.builder(vertx).with(clientOptions).withAddressResolver(resolver).withLoadBalancer(balancer)
        .build();
    return client.channel(ADDRESS);
  }

  /** To one server. */
  RpcChannel direct(SocketAddress address) {
    client = RpcClient.create(vertx, clientOptions);
    return client.channel(address);
  }

  /** Answers what is listed, as soon as it is. */
  AddressResolver<Name> resolver() {
    return AddressResolver.mappingResolver(name -> listed);
  }

  /** Takes {@link Name} alone, and answers what it is told to, once for each resolution. */
  static AddressResolver<Name> resolver(Supplier<Future<List<SocketAddress>>> answer) {
    return vertx -> new Asked<>(answer, true, () -> { });
  }

  /** The same, with answers that are never good for more than one call, and hears when it is closed. */
  static AddressResolver<Name> forgetfulResolver(Supplier<Future<List<SocketAddress>>> answer, Runnable closed) {
    return vertx -> new Asked<>(answer, false, closed);
  }

  private record Asked<E>(Supplier<Future<List<SocketAddress>>> answer, boolean valid, Runnable closed)
      implements EndpointResolver<Name, SocketAddress, E, E> {

    @Override
    public Name tryCast(Address address) {
      return address instanceof Name name ? name : null;
    }

    @Override
    public SocketAddress addressOf(SocketAddress server) {
      return server;
    }

    @Override
    public Future<E> resolve(Name address, EndpointBuilder<E, SocketAddress> builder) {
      return answer.get().map(servers -> {
        EndpointBuilder<E, SocketAddress> next = builder;
        for (SocketAddress server : servers) {
          next = next.addServer(server, server.toString());
        }
        return next.build();
      });
    }

    @Override
    public E endpoint(E state) {
      return state;
    }

    @Override
    public boolean isValid(E state) {
      return valid;
    }

    @Override
    public void dispose(E state) {
      // It holds nothing.
    }

    @Override
    public void close() {
      closed.run();
    }
  }

  /** A call of a ledger; its number is a multiple of eight only if it is to take some milliseconds. */
  static RpcRequest<Buffer> add(long number) {
    return LedgerService.request(LedgerService.ADD, number, new byte[9]);
  }

  static RpcRequest<Buffer> look(long number) {
    return LedgerService.request(LedgerService.LOOK, number, new byte[9]);
  }

  static <T> RpcRequest<T> keyed(RpcRequest<T> request, String key) {
    return request.withOptions(request.options().withRoutingKey(key));
  }

  @Override
  public void close() {
    if (client != null) {
      Waiting.await(client.close());
    }
    Waiting.await(Future.join(members.stream().map(member -> member.server.close()).toList()));
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }
}
