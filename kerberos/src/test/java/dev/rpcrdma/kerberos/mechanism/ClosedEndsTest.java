// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Threads of clients and servers that are closed. */
class ClosedEndsTest {

  private static final KerberosOptions KERBEROS = new KerberosOptions().setService("nfs")
      .setPrincipal("nfs/localhost@EXAMPLE.ORG").setKeytab("/no/keytab");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** One thread of each of the two pools. */
  private List<Thread> threads() {
    return List.of(thread("rpcrdma-security"), thread("rpcrdma-tickets"));
  }

  /** All that ask for the name share the pool, which ends with the last of them. */
  private Thread thread(String name) {
    WorkerExecutor shared = vertx.createSharedWorkerExecutor(name);
    Thread thread = Waiting.await(shared.executeBlocking(Thread::currentThread));
    assertThat(thread.getName()).startsWith(name);
    Waiting.await(shared.close());
    assertThat(thread.isAlive()).as("somebody else has the pool").isTrue();
    return thread;
  }

  private static void assertEnded(List<Thread> threads) {
    Waiting.until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  /** Fails if {@code RpcClientImpl.release}, or the initiator or acceptor that it closes, keeps the threads. */
  @Test
  @DisplayName("A client with Kerberos leaves no thread when it is closed")
  void client() {
    RpcClient client = RpcClient.create(vertx,
        new RpcClientOptions().setProvider(MemoryProvider.NAME).setKerberos(KERBEROS));
    List<Thread> threads = threads();
    Waiting.await(client.close());
    assertEnded(threads);
  }

  /** Fails if {@code ClientContexts.close}, or the acceptor, keeps the threads. */
  @Test
  @DisplayName("The last of several servers with Kerberos leaves no thread when it is closed")
  void servers() {
    RpcServerOptions options = new RpcServerOptions().setProvider(MemoryProvider.NAME).setKerberos(KERBEROS);
    RpcServer first = RpcServer.create(vertx, options);
    RpcServer second = RpcServer.create(vertx, options);
    List<Thread> threads = threads();
    Waiting.await(first.close());
    assertThat(threads).allMatch(Thread::isAlive);
    Waiting.await(second.close());
    assertEnded(threads);
  }
}
