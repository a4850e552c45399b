// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several instances, each with its own event loop, behind one address. */
public interface InstancesContract extends ContractBase {

  /** Each queue pair lives on the loop of the context that accepted it. */
  @Test
  @DisplayName("Four contexts behind one address: each queue pair on its own loop, independent")
  default void fourInstances() {
    try (VerbsBed bed = open()) {
      int count = 4;
      List<Context> contexts = new ArrayList<>();
      List<Peer> servers = new ArrayList<>();
      List<Peer> clients = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        contexts.add(bed.context());
        Peer server = bed.server();
        server.receive(i, 64);
        servers.add(server);
      }
      AtomicInteger next = new AtomicInteger();
      VerbsListener listener = bed.listen(request -> {
        int i = next.getAndIncrement();
        request.accept(contexts.get(i), servers.get(i).domain(), ConnectionOptions.DEFAULT,
            servers.get(i)::setUp);
      });
      for (int i = 0; i < count; i++) {
        Peer client = bed.client();
        Waiting.await(
            bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
        clients.add(client);
        servers.get(i).awaitEstablished();
      }
      for (int i = 0; i < count; i++) {
        assertThat(servers.get(i).queuePair().context()).isSameAs(contexts.get(i));
        assertOnLoopOf(servers.get(i), contexts.get(i));
      }
      Waiting.await(servers.get(0).close());
      clients.get(0).awaitDisconnected();
      for (int i = 1; i < count; i++) {
        clients.get(i).send(1, new byte[] {(byte) i});
        assertThat(servers.get(i).handler().completion(Opcode.RECEIVE).id()).isEqualTo(i);
      }
    }
  }

  private static void assertOnLoopOf(Peer peer, Context context) {
    Promise<Thread> thread = Promise.promise();
    context.runOnContext(ignored -> thread.complete(Thread.currentThread()));
    assertThat(peer.handler().loop()).isSameAs(Waiting.await(thread.future()));
  }

  /** Established connections do not need their listener. */
  @Test
  @DisplayName("Closing the listener leaves connections as they are")
  default void listenerCloses() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      server.receive(1, 64);
      VerbsListener listener = bed.listen(request ->
          bed.accept(request, server, ConnectionOptions.DEFAULT));
      Peer client = bed.client();
      Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
      Waiting.await(listener.close());
      client.send(1, new byte[] {1});
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(1);
    }
  }
}
