// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resolvers and load balancers that throw or answer late: no call waits for ever, and no state is left. */
@Timeout(60)
class ResolverFaultsTest {

  private static final Consumer<State> WELL = state -> { };

  private final ServerGroup group = new ServerGroup();
  private final Resolver resolver = new Resolver();

  @AfterEach
  void close() {
    group.close();
  }

  private RpcChannel channel(LoadBalancer balancer) {
    AddressResolver<ServerGroup.Name> address = vertx -> {
      resolver.opened.incrementAndGet();
      return resolver;
    };
    return group.channel(balancer, address);
  }

  /** A channel that has connections to both of two servers. */
  private RpcChannel toBoth() {
    group.start(2);
    RpcChannel channel = channel(LoadBalancer.ROUND_ROBIN);
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(channel.call(ServerGroup.add(3)));
    assertThat(parts(channel)).isEqualTo(2);
    return channel;
  }

  private static int parts(RpcChannel channel) {
    return Waiting.await(channel.snapshot()).parts().size();
  }

  /** Fails if {@code Resolution.refuse} tells of the failure while others still wait for it. */
  @Test
  @DisplayName("A call that is repeated in the handler of its failure has the resolver asked again")
  void repeated() {
    group.start(1);
    Promise<State> first = Promise.promise();
    resolver.answer = first.future();
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Promise<Buffer> outcome = Promise.promise();
    group.vertx.runOnContext(started -> {
      channel.call(ServerGroup.add(1)).onFailure(failure -> channel.call(ServerGroup.add(3)).onComplete(outcome));
      channel.call(ServerGroup.add(5));
      resolver.answer = null;
      first.fail("down for a moment");
    });
    Waiting.await(outcome.future());
    assertThat(resolver.states).hasSize(2);
  }

  /** Fails if {@code RoutedTask.waits} does not look whether the call was cancelled before it had anything to give up. */
  @Test
  @DisplayName("A call that is cancelled while the resolver is being asked ends at once")
  void cancelledWhileAsked() {
    Cancellation cancellation = Cancellation.create();
    RpcChannel channel = group.channel(LoadBalancer.FIRST, ServerGroup.resolver(() -> {
      cancellation.cancel();
      return Promise.<List<SocketAddress>>promise().future();
    }));
    RpcRequest<Buffer> add = ServerGroup.add(1);
    assertThat(Waiting.awaitFailure(channel.call(add.withOptions(add.options().withCancellation(cancellation)
        .withTimeout(Duration.ofSeconds(50)))))).isInstanceOf(RpcCancelledException.class);
  }

  /** Fails if {@code ResolvedChannel.another} takes servers without a connection where a key decides nothing. */
  @Test
  @DisplayName("The load balancer chooses among those that are up when the one that it named is not")
  void amongThoseThatAreUp() {
    group.start(4);
    AtomicInteger named = new AtomicInteger();
    List<List<SocketAddress>> offered = new CopyOnWriteArrayList<>();
    RpcChannel channel = channel(servers -> {
      offered.add(servers.stream().map(ServerEndpoint::address).toList());
      return named::get;
    });
    for (int i = 0; i < 4; i++) {
      named.set(i);
      Waiting.await(channel.call(ServerGroup.add(2 * i + 1)));
    }
    for (ServerGroup.Member member : group.members.subList(0, 2)) {
      Waiting.await(member.server.close());
    }
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream()
        .filter(ChannelSnapshot::connected).count() == 2);
    named.set(0);
    Waiting.await(channel.call(ServerGroup.add(101)));
    assertThat(offered).last().isEqualTo(group.listed.subList(2, 4));
    assertThat(group.members.get(2).ledger.executions(101)).isOne();
  }

  /** Fails if {@code ResolvedChannel.check} looks at what was known, or does so only once. */
  @Test
  @DisplayName("That a server has left is noticed without a call, also when the answer has to be asked for again")
  void leftUnnoticed() {
    RpcChannel channel = toBoth();
    resolver.states.get(0).valid = false;
    group.listed = List.of(group.listed.get(0));
    Waiting.until(() -> parts(channel) == 1);
    assertThat(resolver.disposed).containsExactly(resolver.states.get(0));
    group.listed = List.of();
    Waiting.until(() -> parts(channel) == 0);
    assertThat(resolver.usedAfterwards).hasValue(0);
  }

  /** Fails if {@code ResolvedChannel.check} or {@code checked} let an Error through. */
  @Test
  @DisplayName("An address whose resolver throws, even an Error, does not keep those of others from being checked")
  void throwingCheck() {
    group.start(2);
    RpcChannel good = channel(LoadBalancer.ROUND_ROBIN);
    for (int i = 0; i < 8; i++) {
      Waiting.await(group.client.channel(new ServerGroup.Name("bad" + i)).call(ServerGroup.add(101 + 2 * i)));
    }
    Waiting.await(good.call(ServerGroup.add(1)));
    Waiting.await(good.call(ServerGroup.add(3)));
    AtomicInteger thrown = new AtomicInteger();
    Consumer<State> throwing = state -> {
      if (state.name.startsWith("bad")) {
        thrown.incrementAndGet();
        throw new NoClassDefFoundError("linked");
      }
    };
    resolver.lookedAt = throwing;
    Waiting.until(() -> thrown.get() > 8);
    resolver.validated = throwing;
    resolver.lookedAt = WELL;
    thrown.set(0);
    Waiting.until(() -> thrown.get() > 8);
    group.listed = List.of(group.listed.get(0));
    Waiting.until(() -> parts(good) == 1);
    resolver.validated = WELL;
  }

  /** Fails if {@code RoutedTask.resolved} lets an Error through. */
  @Test
  @DisplayName("An Error of the load balancer fails the call that it was for, and those that wait behind it go on")
  void throwingBalancer() {
    group.start(1);
    Promise<State> first = Promise.promise();
    resolver.answer = first.future();
    AtomicInteger chosen = new AtomicInteger();
    RpcChannel channel = channel(servers -> () -> {
      if (chosen.getAndIncrement() == 0) {
        throw new NoClassDefFoundError("once");
      }
      return 0;
    });
    Future<Buffer> hit = channel.call(ServerGroup.add(1));
    Future<Buffer> next = channel.call(ServerGroup.add(3));
    first.complete(resolver.states.get(0));
    assertThat(Waiting.awaitFailure(hit)).isInstanceOf(RpcConnectException.class)
        .hasCauseInstanceOf(NoClassDefFoundError.class);
    Waiting.await(next);
    Waiting.await(channel.call(ServerGroup.add(5)));
  }

  /** Fails if {@code Resolution.ask} lets an Error through. */
  @Test
  @DisplayName("An Error of isValid() is a failed call, and not thrown to its caller")
  void throwingValidity() {
    group.start(1);
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(ServerGroup.add(1)));
    resolver.validated = state -> {
      throw new NoClassDefFoundError("linked");
    };
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(3)))).isInstanceOf(RpcConnectException.class);
    resolver.validated = WELL;
    Waiting.await(channel.call(ServerGroup.add(5)));
  }

  /** Fails if {@code ResolvedChannel.check} does not repair what an older answer has undone. */
  @Test
  @DisplayName("An older answer that is used late does not bring back for long what a newer one does not list")
  void olderAnswer() {
    group.start(2);
    List<SocketAddress> both = group.listed;
    group.listed = List.of(both.get(0));
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(ServerGroup.add(1)));
    State old = resolver.states.get(0);
    Promise<Void> seen = Promise.promise();
    Promise<Void> goOn = Promise.promise();
    Promise<Buffer> late = Promise.promise();
    Thread slow = new Thread(() -> channel.call(ServerGroup.add(3)).onComplete(late), "slow");
    resolver.lookedAt = state -> {
      if (Thread.currentThread() == slow && seen.tryComplete()) {
        Waiting.await(goOn.future());
      }
    };
    slow.start();
    Waiting.await(seen.future());
    group.listed = List.of(both.get(1));
    old.valid = false;
    Waiting.await(channel.call(ServerGroup.add(5)));
    goOn.complete();
    Waiting.await(late.future());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream()
        .noneMatch(part -> part.address().equals(both.get(0))));
  }

  /** Fails if {@code Addresses.close} forgets the states. */
  @Test
  @DisplayName("A client that is closed disposes of what was answered, and of what is answered later")
  void closed() {
    group.start(1);
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(ServerGroup.add(1)));
    Promise<State> late = Promise.promise();
    resolver.answer = late.future();
    Future<Buffer> waiting = group.client.channel(new ServerGroup.Name("late")).call(ServerGroup.add(3));
    Waiting.await(group.client.close());
    assertThat(Waiting.awaitFailure(waiting)).isInstanceOf(RpcClosedException.class);
    assertThat(resolver.disposed).containsExactly(resolver.states.get(0));
    late.complete(resolver.states.get(1));
    assertThat(resolver.disposed).containsExactlyElementsOf(resolver.states);
    assertThat(resolver.closed).hasValue(1);
  }

  /** Fails if {@code RpcClientImpl} opens the resolver before it refuses. */
  @Test
  @DisplayName("A client whose options are refused has opened no resolver")
  void refused() {
    group.clientOptions.setKerberos(new KerberosOptions());
    assertThatThrownBy(() -> channel(LoadBalancer.FIRST)).isInstanceOf(IllegalArgumentException.class);
    assertThat(resolver.opened).hasValue(0);
  }

  /** Fails if {@code ResolvedChannel.hasSeveral} counts what is listed, and not the servers. */
  @Test
  @DisplayName("A server that is listed twice has no other one behind it: calls wait until it comes back")
  void listedTwice() {
    group.clientOptions.setReconnectAttempts(1000).setReconnectDelay(Duration.ofMillis(10))
        .setMaxReconnectDelay(Duration.ofMillis(50));
    group.start(1);
    ServerGroup.Member first = group.members.get(0);
    group.listed = List.of(first.address(), first.address());
    RpcChannel channel = group.channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(first.server.close());
    Future<Buffer> call = channel.call(ServerGroup.add(3));
    // Many attempts to connect fail meanwhile.
    Waiting.await(group.vertx.timer(300));
    group.startAt(first.address().port());
    Waiting.await(call);
  }

  /** What is known of an address, which follows what is listed until it is disposed of. */
  private static final class State {

    private final String name;
    private final EndpointBuilder<Object, SocketAddress> builder;
    private List<SocketAddress> servers;
    private Object endpoint;
    private volatile boolean valid = true;

    State(String name, EndpointBuilder<Object, SocketAddress> builder) {
      this.name = name;
      this.builder = builder;
    }

    synchronized Object endpoint(List<SocketAddress> listed) {
      if (!listed.equals(servers)) {
        EndpointBuilder<Object, SocketAddress> next = builder;
        for (SocketAddress server : listed) {
          next = next.addServer(server, server.toString());
        }
        endpoint = next.build();
        servers = listed;
      }
      return endpoint;
    }

    synchronized Object last() {
      return endpoint;
    }
  }

  private final class Resolver implements EndpointResolver<ServerGroup.Name, SocketAddress, State, Object> {

    private final List<State> states = new CopyOnWriteArrayList<>();
    private final List<State> disposed = new CopyOnWriteArrayList<>();
    private final AtomicInteger usedAfterwards = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    /** Null if it answers at once. */
    private volatile Future<State> answer;
    private volatile Consumer<State> lookedAt = WELL;
    private volatile Consumer<State> validated = WELL;

    @Override
    public ServerGroup.Name tryCast(Address address) {
      return address instanceof ServerGroup.Name name ? name : null;
    }

    @Override
    public SocketAddress addressOf(SocketAddress server) {
      return server;
    }

    @Override
    public Future<State> resolve(ServerGroup.Name address, EndpointBuilder<Object, SocketAddress> builder) {
      State state = new State(address.name(), builder);
      state.endpoint(group.listed);
      states.add(state);
      return answer == null ? Future.succeededFuture(state) : answer;
    }

    @Override
    public Object endpoint(State state) {
      if (disposed.contains(state)) {
        usedAfterwards.incrementAndGet();
      }
      lookedAt.accept(state);
      return state.valid ? state.endpoint(group.listed) : state.last();
    }

    @Override
    public boolean isValid(State state) {
      validated.accept(state);
      return state.valid;
    }

    @Override
    public void dispose(State state) {
      disposed.add(state);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
