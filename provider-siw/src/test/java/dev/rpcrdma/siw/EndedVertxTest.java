// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device whose Vert.x was closed first. */
@Timeout(60)
class EndedVertxTest {

  private static final String HOST = "127.0.0.1";

  /** Fails if {@code SiwListener.closeChannel} waits for the loop. */
  @Test
  @DisplayName("The device with a listener can be closed")
  void listener() {
    Vertx vertx = Vertx.vertx();
    VerbsDevice device = new SiwProvider().open(vertx, DeviceOptions.DEFAULT);
    Waiting.await(device.listen(Contexts.newEventLoop(vertx), SocketAddress.inetSocketAddress(0, HOST),
        request -> { }));
    Waiting.await(vertx.close());
    Waiting.await(device.close());
  }

  @Test
  @DisplayName("The device with a listener and a connection can be closed")
  void connection() {
    VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
    bed.connect();
    Waiting.await(bed.vertx().close());
    Waiting.await(bed.device().close());
  }

  /** Fails if {@code Initiator.connect} or {@code SiwDevice.listen} let through what Vert.x says. */
  @Test
  @DisplayName("Connecting and listening fail, and leave nothing that a close would wait for")
  void connectAndListen() {
    Vertx vertx = Vertx.vertx();
    VerbsDevice device = new SiwProvider().open(vertx, DeviceOptions.DEFAULT);
    Context context = Contexts.newEventLoop(vertx);
    Waiting.await(vertx.close());
    Future<?> connecting = device.connect(context, SocketAddress.inetSocketAddress(1, HOST),
        device.allocateProtectionDomain(), ConnectionOptions.DEFAULT, pair -> null);
    assertThat(Waiting.awaitFailure(connecting)).isInstanceOf(VerbsException.class);
    Future<?> listening = device.listen(context, SocketAddress.inetSocketAddress(0, HOST), request -> { });
    assertThat(Waiting.awaitFailure(listening)).isInstanceOf(VerbsException.class);
    Waiting.await(device.close());
  }
}
