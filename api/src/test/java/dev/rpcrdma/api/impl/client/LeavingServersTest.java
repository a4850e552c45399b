// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are closed while calls are made that must not be made twice: none is lost, and none fails. */
class LeavingServersTest {

  private static final int ROUNDS = 10;

  private final ServerGroup group = new ServerGroup();
  private final AtomicLong numbers = new AtomicLong();

  @BeforeEach
  void open() {
    group.serverOptions.setDrainTimeout(Duration.ofSeconds(10));
    // Nothing is repaired by sending again, and who waits for a server to be back waits for too long.
    group.clientOptions.setReplay(Replay.NEVER).setMaxReconnectDelay(Duration.ofMinutes(1))
        .setReconnectDelay(Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    group.close();
  }

  private CallLoops load(RpcChannel channel) {
    return new CallLoops(8, () -> channel.call(ServerGroup.add(numbers.getAndIncrement())));
  }

  /** Fails if a server that closes does not tell its clients (LEAVING), or these go on as if nothing was. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("Servers leave one after the other under load, without a word to whoever lists them")
  void underLoad(int connections) {
    group.clientOptions.setConnections(connections);
    group.start(2);
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN);
    CallLoops load = load(channel);
    for (int round = 0; round < ROUNDS; round++) {
      ServerGroup.Member oldest = group.members.get(round);
      Waiting.until(() -> oldest.ledger.size() > 20);
      group.start();
      group.listAll();
      Waiting.await(oldest.server.close());
    }
    Waiting.await(load.stop());
    for (long number = 0; number < numbers.get(); number++) {
      long each = number;
      assertThat(group.members.stream().mapToInt(member -> member.ledger.executions(each)).sum()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("A call that is being executed is answered, and new ones go to another server at once")
  void inFlight() {
    group.start(2);
    ServerGroup.Member first = group.members.get(0);
    ServerGroup.Member second = group.members.get(1);
    RpcChannel channel = group.channel(LoadBalancer.FIRST);
    Promise<Void> gate = first.ledger.hold();
    Future<Buffer> held = channel.call(ServerGroup.add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    Future<Void> closed = first.server.close();
    while (second.ledger.size() == 0) {
      // Until the client has heard, calls go there and are answered with the other one.
      channel.call(ServerGroup.look(numbers.addAndGet(2) + 1));
      Waiting.await(group.vertx.timer(1));
    }
    assertThat(held.isComplete()).isFalse();
    assertThat(closed.isComplete()).isFalse();
    Waiting.await(channel.call(ServerGroup.add(1001)));
    gate.complete();
    Waiting.await(held);
    Waiting.await(closed);
  }

  @Test
  @DisplayName("A channel to one server waits for it to be back, and has lost nothing")
  void oneServer() {
    group.clientOptions.setReconnectAttempts(1000).setReconnectDelay(Duration.ofMillis(1))
        .setMaxReconnectDelay(Duration.ofMillis(20));
    ServerGroup.Member first = group.start();
    RpcChannel channel = group.direct(first.address());
    CallLoops load = load(channel);
    Waiting.until(() -> first.ledger.size() > 20);
    Waiting.await(first.server.close());
    assertThat(load.ended().isComplete()).isFalse();
    ServerGroup.Member again = group.startAt(first.address().port());
    Waiting.until(() -> again.ledger.size() > 20);
    Waiting.await(load.stop());
  }
}
