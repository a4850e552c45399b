// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.fixture.Nfs3;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Linux's NFS server found by the rpcbind of the lab's VM, where this runs, over a device of that VM. */
final class NfsByRpcbind {

  private static final int VERSION = 3;
  private static final int PORT = 20049;

  private final String host = System.getProperty("rpcrdma.host");
  private final Vertx vertx = Vertx.vertx();
  private final RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("ibverbs")
      .setProviderOptions(new JsonObject().put("device", System.getProperty("rpcrdma.device")))).build();

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(vertx.close());
  }

  /** Fails if {@code Rpcbind.locate} takes {@code 0.0.0.0} for the host, or the port of the netid {@code tcp}. */
  @Test
  @DisplayName("R-180, R-181: a channel finds it by host, program and version once its port for RDMA is registered")
  void channel() {
    // What is loaded for the first connection takes long in a machine that is emulated.
    Waiting.await(client.channel(SocketAddress.inetSocketAddress(PORT, host)).connect());
    Rpcbind rpcbind = Rpcbind.of(vertx, "127.0.0.1");
    Rpcb entry = new Rpcb(Nfs3.PROGRAM, VERSION, Netid.RDMA, new UniversalAddress("0.0.0.0", PORT).toString(), "root");
    assertThat(Waiting.await(rpcbind.register(entry))).isTrue();
    try {
      Waiting.await(client.channel(host, Nfs3.PROGRAM, VERSION).call(Nfs3.nothing()));
    } finally {
      assertThat(Waiting.await(rpcbind.unregister(entry))).isTrue();
    }
  }
}
