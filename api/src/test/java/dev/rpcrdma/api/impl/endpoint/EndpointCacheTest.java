// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.resolver.ServiceName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Answers of a resolver that is not there: no socket, no time but the test's. */
class EndpointCacheTest {

  private static final ServiceName ORDERS = ServiceName.of("orders");
  private static final ServiceName OTHERS = ServiceName.of("others");
  private static final long IDLE = 100;

  private final Resolver resolver = new Resolver();
  private long now;
  /** Done whenever somebody looks at the clock. */
  private Runnable meanwhile = () -> { };
  private final EndpointCache<?, ?, ?> cache = cache(LoadBalancer.ROUND_ROBIN);

  private EndpointCache<?, ?, ?> cache(LoadBalancer balancer) {
    return EndpointCache.of(resolver, balancer, IDLE, () -> {
      Runnable once = meanwhile;
      meanwhile = () -> { };
      once.run();
      return now;
    });
  }

  private Future<Endpoint> lookUp(Address address) {
    Promise<Endpoint> promise = Promise.promise();
    cache.lookUp(address, promise);
    return promise.future();
  }

  private static List<String> keys(Endpoint endpoint) {
    return endpoint.servers().stream().map(ServerEndpoint::key).toList();
  }

  /** Fails if {@code CachedEndpoint.isUsable} says no while the answer is on its way, or once it is there. */
  @Test
  @DisplayName("An address is looked up once, by however many at a time, and its servers are those of the resolver")
  void once() {
    Future<Endpoint> first = lookUp(ORDERS);
    Future<Endpoint> second = lookUp(ORDERS);
    assertThat(resolver.asked).hasSize(1);
    assertThat(first.isComplete()).isFalse();
    resolver.answer("a", "b");
    assertThat(keys(first.result())).containsExactly("a", "b");
    assertThat(first.result().servers()).extracting(ServerEndpoint::address)
        .containsExactly(SocketAddress.inetSocketAddress(1, "a"), SocketAddress.inetSocketAddress(1, "b"));
    assertThat(second.result()).isSameAs(first.result());
    assertThat(lookUp(ORDERS).result()).isSameAs(first.result());
    lookUp(OTHERS);
    assertThat(resolver.asked).hasSize(2);
  }

  /** Fails if {@code EndpointCache.lookUp} keeps an answer that has failed. */
  @Test
  @DisplayName("A failure is told to all who wait, and asked for anew by the next, also one that is thrown")
  void failing() {
    Future<Endpoint> first = lookUp(ORDERS);
    Future<Endpoint> second = lookUp(ORDERS);
    resolver.asked.get(0).promise.fail(new IllegalStateException("none"));
    assertThat(first.cause()).hasMessage("none");
    assertThat(second.cause()).hasMessage("none");
    assertThat(cache.size()).as("whom nobody found nobody remembers").isZero();
    resolver.thrown = new IllegalStateException("thrown");
    assertThat(lookUp(ORDERS).cause()).hasMessage("thrown");
    resolver.thrown = new NoClassDefFoundError("linked");
    assertThat(lookUp(ORDERS).cause()).hasMessage("linked");
    resolver.thrown = null;
    lookUp(ORDERS);
    assertThat(resolver.asked).hasSize(2);
    assertThat(resolver.disposed).isEmpty();
  }

  /** Fails if {@code CachedEndpoint.isUsable} does not ask the resolver, or if an old answer is not disposed of. */
  @Test
  @DisplayName("An answer that is no longer valid is disposed of, and asked for anew by one alone")
  void invalid() {
    Future<Endpoint> before = lookUp(ORDERS);
    State old = resolver.answer("a");
    old.valid = false;
    Future<Endpoint> after = lookUp(ORDERS);
    Future<Endpoint> beside = lookUp(ORDERS);
    assertThat(resolver.asked).hasSize(2);
    assertThat(resolver.disposed).containsExactly(old);
    resolver.answer("b");
    assertThat(keys(after.result())).containsExactly("b");
    assertThat(beside.result()).isSameAs(after.result());
    assertThat(keys(before.result())).as("who has the old one keeps it").containsExactly("a");
  }

  @Test
  @DisplayName("A resolver that can make an answer valid again is asked for that")
  void refreshed() {
    Future<Endpoint> before = lookUp(ORDERS);
    State old = resolver.answer("a");
    old.valid = false;
    resolver.refreshes = true;
    Future<Endpoint> after = lookUp(ORDERS);
    assertThat(resolver.asked).hasSize(1);
    assertThat(resolver.disposed).isEmpty();
    assertThat(after.result().selectServer()).isSameAs(before.result().selectServer());
    old.valid = false;
    resolver.refreshed = Future.failedFuture("not again");
    assertThat(lookUp(ORDERS).cause()).hasMessage("not again");
    assertThat(resolver.disposed).as("nobody has it any more").containsExactly(old);
  }

  /** Fails if {@code EndpointCache.forgetIdle} does not look at the time, or if calls do not count as use. */
  @Test
  @DisplayName("What nobody calls is forgotten in time, and what is called is not")
  void idle() {
    Future<Endpoint> orders = lookUp(ORDERS);
    State ordersState = resolver.answer("a");
    now += IDLE - 1;
    cache.forgetIdle();
    orders.result().selectServer().newInteraction();
    now += IDLE - 1;
    cache.forgetIdle();
    assertThat(resolver.disposed).isEmpty();
    now += 1;
    cache.forgetIdle();
    cache.forgetIdle();
    assertThat(resolver.disposed).containsExactly(ordersState);
    lookUp(ORDERS);
    now += IDLE - 1;
    cache.forgetIdle();
    assertThat(resolver.asked).hasSize(2);
    resolver.answer("c");
    now += IDLE - 1;
    cache.forgetIdle();
    assertThat(keys(lookUp(ORDERS).result())).as("known since the answer, not since the question").containsExactly("c");
    now += IDLE - 1;
    cache.forgetIdle();
    assertThat(resolver.disposed).as("who looks it up is about to call").containsExactly(ordersState);
  }

  /** Fails if {@code EndpointCache.lookUp} says when an address was asked for after others see it. */
  @Test
  @DisplayName("An address that is being asked for at this moment is not forgotten by another thread")
  void askedForMeanwhile() {
    now = 10 * IDLE;
    meanwhile = () -> cache.forgetIdle();
    Future<Endpoint> orders = lookUp(ORDERS);
    resolver.answer("a");
    assertThat(keys(orders.result())).containsExactly("a");
  }

  /** Fails if {@code EndpointCache.forgetIdle} leaves out what is not known. */
  @Test
  @DisplayName("A resolver that does not answer is given up in time, and its late answer is disposed of")
  void silent() {
    Future<Endpoint> orders = lookUp(ORDERS);
    now += IDLE;
    cache.forgetIdle();
    assertThat(orders.cause()).isInstanceOf(TimeoutException.class);
    State late = resolver.answer("a");
    assertThat(resolver.disposed).containsExactly(late);
    Future<Endpoint> again = lookUp(ORDERS);
    resolver.answer("b");
    assertThat(keys(again.result())).containsExactly("b");
    assertThat(resolver.disposed).containsExactly(late);
  }

  /** Fails if {@code EndpointCache.close} does not end what is known, or what is asked for. */
  @Test
  @DisplayName("At the end all answers are disposed of, those that come later too, and nobody is asked any more")
  void closed() {
    lookUp(ORDERS);
    State orders = resolver.answer("a");
    Future<Endpoint> others = lookUp(OTHERS);
    cache.close();
    assertThat(resolver.disposed).containsExactly(orders);
    assertThat(others.cause()).hasMessageContaining("closed");
    State late = resolver.answer("b");
    assertThat(resolver.disposed).containsExactly(orders, late);
    assertThat(lookUp(ORDERS).cause()).hasMessageContaining("closed");
    assertThat(resolver.asked).hasSize(2);
  }

  /** Fails if {@code CachedEndpoint.again} or {@code dispose} let anything through. */
  @Test
  @DisplayName("A resolver that throws when it refreshes or disposes of an answer is asked on, and no answer is left")
  void throwing() {
    lookUp(ORDERS);
    State first = resolver.answer("a");
    first.valid = false;
    resolver.refreshThrows = true;
    assertThat(lookUp(ORDERS).cause()).hasMessage("refresh");
    assertThat(resolver.disposed).containsExactly(first);
    resolver.refreshThrows = false;
    lookUp(ORDERS);
    resolver.answer("b").valid = false;
    resolver.disposeThrows = true;
    Future<Endpoint> third = lookUp(ORDERS);
    resolver.answer("c");
    assertThat(keys(third.result())).containsExactly("c");
    now += IDLE;
    cache.forgetIdle();
    assertThat(cache.size()).isZero();
  }

  /** Fails if {@code ServerList} makes a selector for each choice. */
  @Test
  @DisplayName("The balancer goes on where it was, also over an answer that grows, and chooses by key and filter")
  void balanced() {
    Future<Endpoint> orders = lookUp(ORDERS);
    State state = resolver.answer("a", "b", "c");
    Endpoint endpoint = orders.result();
    assertThat(List.of(endpoint.selectServer().key(), endpoint.selectServer().key(), endpoint.selectServer().key(),
        endpoint.selectServer().key())).containsExactly("a", "b", "c", "a");
    assertThat(endpoint.selectServer(server -> server.key().equals("c")).key()).isEqualTo("c");
    assertThat(endpoint.selectServer(server -> false)).isNull();
    state.build("d");
    assertThat(endpoint.selectServer().key()).isEqualTo("d");
    assertThat(endpoint.selectServer("some key").key()).isEqualTo("d");
    assertThat(endpoint.protocols()).containsExactly("rpc");
  }

  @Test
  @DisplayName("Requests are counted for the balancer")
  void counted() {
    EndpointCache<?, ?, ?> least = cache(LoadBalancer.LEAST_REQUESTS);
    Promise<Endpoint> promise = Promise.promise();
    least.lookUp(ORDERS, promise);
    resolver.answer("a", "b");
    Endpoint endpoint = promise.future().result();
    ServerEndpoint busy = endpoint.selectServer();
    busy.newInteraction().reportRequestBegin();
    assertThat(endpoint.selectServer().key()).isNotEqualTo(busy.key());
    assertThat(endpoint.selectServer().key()).isNotEqualTo(busy.key());
  }

  @Test
  @DisplayName("An address that the resolver does not take fails")
  void foreign() {
    SocketAddress foreign = SocketAddress.inetSocketAddress(1, "a");
    assertThat(cache.resolves(foreign)).isFalse();
    assertThat(cache.resolves(ORDERS)).isTrue();
    assertThat(lookUp(foreign).cause()).hasMessageContaining("does not take");
  }

  /** What the resolver knows of an address. */
  private static final class State {

    private final EndpointBuilder<Object, String> builder;
    private Object endpoint;
    private boolean valid = true;

    State(EndpointBuilder<Object, String> builder) {
      this.builder = builder;
    }

    void build(String... servers) {
      EndpointBuilder<Object, String> next = builder;
      for (String server : servers) {
        next = next.addServer(server, server);
      }
      endpoint = next.build();
    }
  }

  private record Asked(Promise<State> promise, EndpointBuilder<Object, String> builder) {}

  private static final class Resolver implements EndpointResolver<ServiceName, String, State, Object> {

    private final List<Asked> asked = new ArrayList<>();
    private final List<State> disposed = new ArrayList<>();
    private Throwable thrown;
    private boolean refreshes;
    private boolean refreshThrows;
    private boolean disposeThrows;
    /** Null if it is the same. */
    private Future<State> refreshed;

    State answer(String... servers) {
      Asked last = asked.get(asked.size() - 1);
      State state = new State(last.builder);
      state.build(servers);
      last.promise.complete(state);
      return state;
    }

    @Override
    public ServiceName tryCast(Address address) {
      return address instanceof ServiceName name ? name : null;
    }

    @Override
    public SocketAddress addressOf(String server) {
      return SocketAddress.inetSocketAddress(1, server);
    }

    @Override
    public String protocolOf(String server) {
      return "rpc";
    }

    @Override
    public Future<State> resolve(ServiceName address, EndpointBuilder<Object, String> builder) {
      if (thrown instanceof Error error) {
        throw error;
      } else if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
      Asked question = new Asked(Promise.promise(), builder);
      asked.add(question);
      return question.promise.future();
    }

    @Override
    public Object endpoint(State state) {
      return state.endpoint;
    }

    @Override
    public boolean isValid(State state) {
      return state.valid;
    }

    @Override
    public Future<State> refresh(ServiceName address, State state) {
      if (refreshThrows) {
        throw new NoClassDefFoundError("refresh");
      }
      if (!refreshes) {
        return null;
      }
      state.valid = true;
      return refreshed == null ? Future.succeededFuture(state) : refreshed;
    }

    @Override
    public void dispose(State state) {
      if (disposeThrows) {
        throw new NoClassDefFoundError("dispose");
      }
      disposed.add(state);
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }
}
