// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.tls.TlsLoader;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Fails if {@code Loops.close} does not look for the end of the loop once it has asked for something there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("The device can be closed while its Vert.x is being closed")
  void whileVertxCloses(boolean connected) {
    for (int i = 0; i < 20; i++) {
      VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
      if (connected) {
        bed.connect();
      } else {
        bed.listen(request -> { });
      }
      Future<Void> vertxCloses = bed.vertx().close();
      Waiting.await(bed.device().close());
      Waiting.await(vertxCloses);
    }
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

  /** Fails if {@code PassiveSide.accept} does not look at the loop. */
  @Test
  @DisplayName("A connection cannot be accepted on a loop that has ended, and the request leaves no place taken")
  void acceptOnEndedLoop() {
    Vertx other = Vertx.vertx();
    Context ended = Contexts.newEventLoop(other);
    Waiting.await(other.close());
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      Promise<Object> outcome = Promise.promise();
      VerbsListener listener = bed.listen(request -> {
        request.accept(ended, bed.device().allocateProtectionDomain(), ConnectionOptions.DEFAULT, pair -> null)
            .onFailure(outcome::complete);
        request.reject(Buffer.buffer());
      });
      Future<?> connecting = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      assertThat(Waiting.await(outcome.future())).isInstanceOf(VerbsException.class);
      Waiting.awaitFailure(connecting);
    }
  }

  @Test
  @DisplayName("The longest timeout that a Duration can say is a long one")
  void hugeTimeout() {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      Peer server = bed.server();
      VerbsListener listener = bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withTimeout(Duration.ofSeconds(Long.MAX_VALUE))));
    }
  }

  /** Fails if {@code TlsLoader.loading} lets through what Vert.x says. */
  @Test
  @DisplayName("Keys are not loaded, and whoever asked hears why")
  void tls() {
    Vertx vertx = Vertx.vertx();
    Waiting.await(vertx.close());
    assertThat(Waiting.awaitFailure(TlsLoader.client(vertx, new ClientSSLOptions())))
        .isInstanceOf(VerbsException.class);
  }

  /** Fails if {@code SiwDevice.failing} lets through what an ended loop says. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("A request whose listener's Vert.x has ended can be neither accepted nor rejected")
  void answer(boolean accept) {
    Vertx listening = Vertx.vertx();
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      Promise<ConnectionRequest> asked = Promise.promise();
      VerbsListener listener = Waiting.await(bed.device().listen(Contexts.newEventLoop(listening),
          SocketAddress.inetSocketAddress(0, "127.0.0.1"), asked::tryComplete));
      bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      ConnectionRequest request = Waiting.await(asked.future());
      Waiting.await(listening.close());
      Future<?> answered = accept ? request.accept(bed.context(), bed.device().allocateProtectionDomain(),
          ConnectionOptions.DEFAULT, pair -> null) : request.reject(Buffer.buffer());
      assertThat(Waiting.awaitFailure(answered)).isInstanceOf(VerbsException.class);
    }
  }
}
