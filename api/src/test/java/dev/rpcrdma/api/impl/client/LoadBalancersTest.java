// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.DefaultInteractionMetric;
import io.vertx.core.net.endpoint.DefaultInteractionMetrics;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Core's load balancers choose servers, and are told what they need for it. */
class LoadBalancersTest {

  private static final int CALLS = 60;

  private final ServerGroup group = new ServerGroup();

  @AfterEach
  void close() {
    group.close();
  }

  static Stream<Arguments> balancers() {
    return Stream.of(Arguments.of("ROUND_ROBIN", LoadBalancer.ROUND_ROBIN, 20, 20),
        Arguments.of("LEAST_REQUESTS", LoadBalancer.LEAST_REQUESTS, 0, CALLS),
        Arguments.of("RANDOM", LoadBalancer.RANDOM, 1, CALLS),
        Arguments.of("POWER_OF_TWO_CHOICES", LoadBalancer.POWER_OF_TWO_CHOICES, 1, CALLS),
        Arguments.of("CONSISTENT_HASHING", LoadBalancer.CONSISTENT_HASHING, 1, CALLS),
        Arguments.of("FIRST", LoadBalancer.FIRST, 0, CALLS));
  }

  /** One call after the other, without keys. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("balancers")
  @DisplayName("Each of core's load balancers chooses")
  void each(String name, LoadBalancer balancer, int least, int most) {
    group.start(3);
    RpcChannel channel = group.channel(balancer);
    for (int i = 0; i < CALLS; i++) {
      Waiting.await(channel.call(ServerGroup.add(i * 2 + 1)));
    }
    assertThat(group.members).allSatisfy(member -> assertThat(member.ledger.size()).isBetween(least, most));
    assertThat(group.members.stream().mapToInt(member -> member.ledger.size()).sum()).isEqualTo(CALLS);
    if (balancer == LoadBalancer.FIRST) {
      assertThat(group.members.get(0).ledger.size()).isEqualTo(CALLS);
    }
  }

  /** Fails if {@code RoutedTask} does not report the end of a call, or its failure. */
  @Test
  @DisplayName("Calls that are under way shift others, and no longer when they have ended, however they have")
  void leastRequests() {
    group.start(2);
    RpcChannel channel = group.channel(LoadBalancer.LEAST_REQUESTS);
    ServerGroup.Member first = group.members.get(0);
    ServerGroup.Member second = group.members.get(1);
    Cancellation cancellation = Cancellation.create();
    Future<Void> held = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> first.echo.never.size() == 1);
    for (int i = 0; i < 10; i++) {
      Waiting.await(channel.call(ServerGroup.add(i * 2 + 1)));
    }
    assertThat(second.ledger.size()).isEqualTo(10);
    first.echo.never.get(0).complete(XdrEncoder.VOID);
    Waiting.await(held);
    Waiting.await(channel.call(ServerGroup.add(101)));
    assertThat(first.ledger.size()).isEqualTo(1);
    Future<Void> given = channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
    Waiting.until(() -> first.echo.never.size() == 2);
    cancellation.cancel();
    Waiting.awaitFailure(given);
    Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS)));
    Waiting.await(channel.call(ServerGroup.add(103)));
    assertThat(first.ledger.size()).isEqualTo(2);
  }

  @Test
  @DisplayName("A key stays with its server, and nearly all do when another one leaves; each is found again by others")
  void consistentHashing() {
    group.start(4);
    RpcChannel channel = group.channel(LoadBalancer.CONSISTENT_HASHING, ServerGroup.resolver(
        () -> Future.succeededFuture(group.listed)));
    List<String> keys = IntStream.range(0, 40).mapToObj(i -> "key" + i).toList();
    List<Integer> before = places(channel, keys, 1);
    assertThat(places(channel, keys, 1_001)).isEqualTo(before);
    assertThat(before.stream().distinct().count()).isGreaterThan(2);
    RpcClient others = group.client;
    group.listed = group.listed.subList(0, 3);
    List<Integer> after = places(group.channel(LoadBalancer.CONSISTENT_HASHING, ServerGroup.resolver(
        () -> Future.succeededFuture(group.listed))), keys, 2_001);
    Waiting.await(others.close());
    for (int i = 0; i < keys.size(); i++) {
      if (before.get(i) < 3) {
        assertThat(after.get(i)).as(keys.get(i)).isEqualTo(before.get(i));
      }
    }
  }

  /** Which server gets the call of each key. */
  private List<Integer> places(RpcChannel channel, List<String> keys, long first) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      long number = first + 2L * i;
      Waiting.await(channel.call(ServerGroup.keyed(ServerGroup.add(number), keys.get(i))));
      places.add(IntStream.range(0, group.members.size())
          .filter(place -> group.members.get(place).ledger.executions(number) == 1).findFirst().orElseThrow());
    }
    return places;
  }

  /** What goes wrong, one after the other. */
  private static final class Broken implements LoadBalancer {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int answer;

    @Override
    public DefaultInteractionMetrics newMetrics() {
      return new DefaultInteractionMetrics() {
        @Override
        public DefaultInteractionMetric initiateRequest() {
          if (answer == 3) {
            throw new IllegalStateException("thrown by a load balancer, on purpose");
          }
          return super.initiateRequest();
        }
      };
    }

    @Override
    public ServerSelector selector(List<? extends ServerEndpoint> servers) {
      return () -> {
        asked.add("asked");
        if (answer == 2) {
          throw new IllegalStateException("thrown by a load balancer, on purpose");
        }
        return answer;
      };
    }
  }

  @Test
  @DisplayName("A load balancer that counts beyond its servers, as core's do after 2^31 calls, or throws, costs no call"
      + " its outcome")
  void broken() {
    group.start(2);
    Broken broken = new Broken();
    RpcChannel channel = group.channel(broken);
    for (int answer : new int[] {-1, 9, 3}) {
      broken.answer = answer;
      Waiting.await(channel.call(ServerGroup.add(answer + 100)));
    }
    broken.answer = 2;
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(1)))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("on purpose").hasCauseInstanceOf(IllegalStateException.class);
    assertThat(broken.asked).isNotEmpty();
  }

  @Test
  @DisplayName("A SocketAddress that the resolver takes is resolved")
  void socketAddresses() {
    group.start(2);
    group.channel(LoadBalancer.ROUND_ROBIN);
    RpcClient resolving = RpcClient.builder(group.vertx).with(group.clientOptions)
        .withAddressResolver(AddressResolver.<SocketAddress>mappingResolver(any -> group.listed))
        .build();
    RpcChannel channel = resolving.channel(ServerGroup.NOBODY);
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(channel.call(ServerGroup.add(3)));
    assertThat(group.members).allSatisfy(member -> assertThat(member.ledger.size()).isEqualTo(1));
    Waiting.await(resolving.close());
  }
}
