// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A cluster manager that throws, as Hazelcast's does, when it is asked for the map of replies. */
class ThrowingClusterMapTest {

  /** How often it still throws. */
  private final AtomicInteger throwing = new AtomicInteger();
  private final BlockingQueue<Boolean> onWorker = new LinkedBlockingQueue<>();
  private final Vertx node = LoopbackHazelcast.join(new Throwing());
  private final ServerGroup group = new ServerGroup();

  private final class Throwing extends HazelcastClusterManager {

    Throwing() {
      super(LoopbackHazelcast.config(UUID.randomUUID().toString(), List.of()));
    }

    @Override
    public <K, V> void getAsyncMap(String name, Completable<AsyncMap<K, V>> promise) {
      if (name.equals(ReplicatedRepliesOptions.DEFAULT_MAP_NAME)) {
        onWorker.add(Context.isOnWorkerThread());
        if (throwing.getAndDecrement() > 0) {
          throw new HazelcastException("on purpose");
        }
      }
      super.getAsyncMap(name, promise);
    }
  }

  @AfterEach
  void close() {
    group.close();
    Waiting.await(node.close());
  }

  private static RpcRequest<Buffer> add(long number) {
    RpcRequest<Buffer> request = ServerGroup.add(number);
    return request.withOptions(request.options().withReplicatedReplies());
  }

  private RpcChannel channel() {
    group.clientOptions.setReconnectAttempts(1).setReconnectDelay(Duration.ofMillis(1))
        .setMaxReconnectDelay(Duration.ofMillis(20));
    ReplicatedReplies replies =
        ReplicatedReplies.create(node, new ReplicatedRepliesOptions().setMapTimeout(Duration.ofMillis(300)));
    group.around = replies::around;
    group.start(1);
    return group.channel(LoadBalancer.FIRST);
  }

  /** Fails if {@code ReplicatedReplies.clusterMap} loses what the cluster manager throws. */
  @Test
  @DisplayName("A map that could not be got, as the cluster manager has thrown, is asked for again")
  void askedAgain() {
    throwing.set(1);
    RpcChannel channel = channel();
    Waiting.outcome(channel.call(add(1)));
    assertThat(Waiting.await(channel.call(add(2))).length()).isEqualTo(9);
  }

  /** Fails if {@code ReplicatedReplies.clusterMap} asks on an event loop: Hazelcast's manager answers there and then. */
  @Test
  @DisplayName("No event loop waits for the cluster to make its map")
  void onWorker() {
    Waiting.outcome(channel().call(add(1)));
    assertThat(Waiting.next(onWorker)).isTrue();
  }
}
