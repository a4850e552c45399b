// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.serviceproxy.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls from one node of a cluster to another. */
class ClusterTest {

  private static final String ADDRESS = "errands";

  private final LoopbackCluster cluster = new LoopbackCluster();
  private final ErrandBoy boy = new ErrandBoy();
  private Vertx serving;
  private Vertx calling;
  private EventBusChannel channel;
  private Errands errands;

  @BeforeEach
  void open() {
    serving = cluster.join();
    calling = cluster.join();
    Waiting.await(new RpcServiceBinder(serving).setAddress(ADDRESS).register(Errands.class, boy));
    channel = EventBusChannel.create(calling, ADDRESS);
    errands = channel.proxy(Errands.class);
  }

  @AfterEach
  void close() {
    Waiting.await(calling.close());
    Waiting.await(serving.close());
  }

  @Test
  @DisplayName("All of it crosses a cluster")
  void across() {
    assertThat(Waiting.await(errands.echo("a ß"))).isEqualTo("a ß");
    assertThat(Waiting.awaitFailure(errands.fail("service"))).isInstanceOf(ServiceException.class);
    assertThat(Waiting.awaitFailure(errands.fail("failed"))).isInstanceOf(RpcRejectedException.class);
    String text = "x".repeat(2 * 1024 * 1024);
    assertThat(Waiting.await(errands.echo(text))).isEqualTo(text);
    Payload target = Payload.allocate(calling, 3 * 1024 * 1024);
    Promise<Payload> filled = Promise.promise();
    calling.runOnContext(go -> errands.fill(target.length(), target).onComplete(filled));
    assertThat(Waiting.await(filled.future()).bytes().get(target.length() - 1)).isEqualTo((byte) 1);
    channel.bind(ErrandEvents.class, value -> Future.succeededFuture(value + 1));
    assertThat(Waiting.await(errands.ask(5))).isEqualTo(6);
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
    EventBusChannel local =
        EventBusChannel.create(calling, ADDRESS, new EventBusChannelOptions().setLocalOnly(true));
    assertThat(Waiting.awaitFailure(local.proxy(Errands.class).echo("a"))).isInstanceOf(RpcConnectException.class);
  }
}
