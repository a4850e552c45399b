// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that wait until the servers of their address are known. */
class ResolutionTest {

  private static final int MOST = 4;
  private static final SocketAddress ADDRESS = SocketAddress.inetSocketAddress(1, "any");

  private final Vertx vertx = Vertx.vertx();
  private final Promise<Void> answer = Promise.promise();
  private final AtomicInteger drained = new AtomicInteger();
  private final List<String> outcomes = new ArrayList<>();
  /** Runs while the resolver is being asked. */
  private Runnable whileAsked = () -> { };
  private final Resolution resolution = new Resolution(ADDRESS, new Addresses(vertx,
      Contexts.eventLoop(Contexts.newEventLoop(vertx)),
      new RpcClientImpl.Routing((AddressResolver<SocketAddress>) asked -> new Resolver<>(), LoadBalancer.FIRST)), MOST, drained::incrementAndGet);

  /** Knows one server when it is told so. */
  private final class Resolver<E> implements EndpointResolver<SocketAddress, SocketAddress, E, E> {

    @Override
    public SocketAddress tryCast(Address address) {
      return (SocketAddress) address;
    }

    @Override
    public SocketAddress addressOf(SocketAddress server) {
      return server;
    }

    @Override
    public Future<E> resolve(SocketAddress address, EndpointBuilder<E, SocketAddress> builder) {
      whileAsked.run();
      return answer.future().map(known -> builder.addServer(address, "one").build());
    }

    @Override
    public E endpoint(E state) {
      return state;
    }

    @Override
    public boolean isValid(E state) {
      return true;
    }

    @Override
    public void dispose(E state) {
      // It holds nothing.
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Resolution.Waiter ask(Resolution.Asked expected) {
    Resolution.Waiter waiter = (endpoint, failure) -> outcomes.add(failure == null ? "known" : failure.getMessage());
    assertThat(resolution.ask(waiter)).isEqualTo(expected);
    return waiter;
  }

  private Resolution.Waiter askUntilFull() {
    ask(Resolution.Asked.WAITS);
    ask(Resolution.Asked.WAITS);
    assertThat(resolution.isFull()).as("half of those that may wait").isFalse();
    Resolution.Waiter third = ask(Resolution.Asked.WAITS);
    assertThat(resolution.isFull()).isTrue();
    return third;
  }

  /** Fails if {@code Resolution.remove} does not tell that there is room, or {@code isFull} counts otherwise. */
  @Test
  @DisplayName("A call that waits no longer makes room, which is told of once")
  void removed() {
    Resolution.Waiter third = askUntilFull();
    assertThat(resolution.remove(third)).isTrue();
    assertThat(drained).hasValue(1);
    assertThat(resolution.isFull()).isFalse();
    assertThat(resolution.remove(third)).isFalse();
    assertThat(drained).hasValue(1);
  }

  /** Fails if {@code Resolution.add} knows no bound. */
  @Test
  @DisplayName("No more calls wait than may")
  void most() {
    askUntilFull();
    ask(Resolution.Asked.WAITS);
    ask(Resolution.Asked.FULL);
    assertThat(resolution.close()).hasSize(MOST);
    ask(Resolution.Asked.CLOSED);
  }

  /** Fails if {@code Resolution.refuse} does not tell that there is room. */
  @Test
  @DisplayName("A failure of the resolver makes room, which is told of once")
  void refused() {
    askUntilFull();
    answer.fail("no servers");
    assertThat(outcomes).containsExactly("no servers", "no servers", "no servers");
    assertThat(drained).hasValue(1);
  }

  /** Fails if {@code Resolution.answer} does not tell that there is room. */
  @Test
  @DisplayName("So does its answer")
  void answered() {
    askUntilFull();
    answer.complete();
    assertThat(outcomes).containsExactly("known", "known", "known");
    assertThat(drained).hasValue(1);
  }

  /** Fails if {@code Resolution.ask} does not look again behind the resolver. */
  @Test
  @DisplayName("A call does not wait if its channel is closed while the resolver is being asked")
  void closedWhileAsked() {
    whileAsked = resolution::close;
    ask(Resolution.Asked.CLOSED);
  }
}
