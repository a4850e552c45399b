// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Established;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Listening, connecting, accepting, rejecting, and what goes wrong with them. */
public interface ConnectingContract extends ContractBase {

  private static Buffer random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  private static void assertPrivateData(VerbsBed bed, Buffer received, Buffer sent) {
    if (bed.device().attributes().privateDataPadded()) {
      assertThat(received.getBytes(0, sent.length())).isEqualTo(sent.getBytes());
      for (byte padding : received.getBytes(sent.length(), received.length())) {
        assertThat(padding).isZero();
      }
    } else {
      assertThat(received).isEqualTo(sent);
    }
  }

  private static void assertKind(Future<?> future, Kind kind) {
    assertThat(Waiting.awaitFailure(future)).isInstanceOf(VerbsException.class)
        .extracting(failure -> ((VerbsException) failure).kind()).isEqualTo(kind);
  }

  /** Private data of the greatest length arrives whole. */
  @Test
  @DisplayName("Private data crosses both ways, up to the device's limits")
  default void privateDataCrosses() {
    try (VerbsBed bed = open()) {
      Buffer ofClient = random(bed.device().attributes().connectPrivateData());
      Buffer ofServer = random(bed.device().attributes().acceptPrivateData());
      Peer client = bed.client();
      Peer server = bed.server();
      Promise<Buffer> inSetup = Promise.promise();
      server.onSetup(created -> inSetup.complete(created.privateData()));
      Promise<Buffer> inRequest = Promise.promise();
      VerbsListener listener = bed.listen(request -> {
        inRequest.complete(request.privateData());
        bed.accept(request, server, ConnectionOptions.DEFAULT.withPrivateData(ofServer));
      });
      Waiting.await(bed.connect(listener.localAddress(), client,
          ConnectionOptions.DEFAULT.withPrivateData(ofClient)));
      assertPrivateData(bed, Waiting.await(inRequest.future()), ofClient);
      assertPrivateData(bed, Waiting.await(inSetup.future()), ofClient);
      assertPrivateData(bed, client.queuePair().privateData(), ofServer);
    }
  }

  /** Plaintext in place of TLS would go unnoticed. */
  @Test
  @DisplayName("A device refuses to connect and to listen with TLS, and names its provider, unless it has it")
  default void noTls() {
    try (VerbsBed bed = open()) {
      if (bed.device().attributes().tls()) {
        return;
      }
      ServerTls noServer = (allocator, made) -> new ChannelInboundHandlerAdapter();
      Future<VerbsListener> listening = bed.device().listen(bed.context(), bed.anyPort(),
          ListenOptions.DEFAULT.withTls(() -> noServer), request -> request.reject(Buffer.buffer()));
      assertKind(listening, Kind.UNSUPPORTED);
      VerbsListener listener = bed.listen(request -> request.reject(Buffer.buffer()));
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withTls((allocator, host, port) -> null));
      assertKind(connecting, Kind.UNSUPPORTED);
      for (Future<?> refused : List.of(listening, connecting)) {
        assertThat(refused.cause()).hasMessageContaining("has no TLS").hasMessageContaining("'siw'");
      }
    }
  }

  /** What a consumer needs to choose its own depths when it accepts. */
  @Test
  @DisplayName("P-010: a request tells the peer's Read depths as the peer said them")
  default void readDepthsOfThePeer() {
    try (VerbsBed bed = open()) {
      Promise<List<OptionalInt>> told = Promise.promise();
      VerbsListener listener = bed.listen(request -> {
        told.complete(List.of(request.peerInboundReads(), request.peerOutboundReads()));
        bed.accept(request, bed.server(), ConnectionOptions.DEFAULT);
      });
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withReads(7, 3)));
      assertThat(Waiting.await(told.future())).containsExactly(OptionalInt.of(3),
          OptionalInt.of(7));
    }
  }

  /** Facts are told on both ends, and those of a connection do not change. */
  @Test
  @DisplayName("What the transport has settled is told from established on, and stays as it is")
  default void transportFacts() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      Peer server = bed.server();
      Future<List<TransportFact>> ofClient = factsWhenEstablished(client);
      Future<List<TransportFact>> ofServer = factsWhenEstablished(server);
      server.receive(1, 8);
      bed.connect(client, ConnectionOptions.DEFAULT, server, ConnectionOptions.DEFAULT);
      client.send(1, new byte[8]);
      server.handler().completion(Opcode.RECEIVE);
      for (Peer peer : List.of(client, server)) {
        List<TransportFact> first = Waiting.await(peer == client ? ofClient : ofServer);
        assertThat(first).isNotNull().doesNotContainNull().isUnmodifiable();
        assertThat(first).extracting(TransportFact::name).doesNotHaveDuplicates();
        assertThat(peer.<List<TransportFact>>call(QueuePair::transportFacts)).isEqualTo(first);
      }
    }
  }

  private static Future<List<TransportFact>> factsWhenEstablished(Peer peer) {
    Promise<List<TransportFact>> facts = Promise.promise();
    peer.handler().reaction(event -> {
      if (event instanceof Established) {
        facts.complete(peer.queuePair().transportFacts());
      }
    });
    return facts.future();
  }

  /** One byte more than the limits is the caller's error. */
  @Test
  @DisplayName("Private data beyond the limits is refused at once")
  default void privateDataTooLong() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      Promise<Void> seen = Promise.promise();
      VerbsListener listener = bed.listen(request -> {
        ConnectionOptions tooLong = ConnectionOptions.DEFAULT.withPrivateData(
            random(bed.device().attributes().acceptPrivateData() + 1));
        bed.accept(request, server, tooLong).onComplete(accepted ->
            request.reject(random(bed.device().attributes().rejectPrivateData() + 1))
                .onComplete(rejected -> {
                  // Neither counts as an answer, so the request can still be accepted.
                  if (accepted.failed() && rejected.failed()) {
                    bed.accept(request, server, ConnectionOptions.DEFAULT)
                        .<Void>mapEmpty().onComplete(seen);
                  } else {
                    seen.fail("Too long private data was taken");
                  }
                }));
      });
      assertKind(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withPrivateData(
              random(bed.device().attributes().connectPrivateData() + 1))),
          Kind.INVALID_ARGUMENT);
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT));
      Waiting.await(seen.future());
    }
  }

  /** A rejection reaches the other consumer, with what it says. */
  @Test
  @DisplayName("P-004: a rejection brings its private data, and setup is not called for nothing")
  default void rejection() {
    try (VerbsBed bed = open()) {
      Buffer why = random(bed.device().attributes().rejectPrivateData());
      VerbsListener listener = bed.listen(request -> request.reject(why));
      Throwable failure = Waiting.awaitFailure(
          bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT));
      assertThat(failure).isInstanceOf(ConnectionRejectedException.class);
      assertPrivateData(bed, ((ConnectionRejectedException) failure).privateData(), why);
    }
  }

  /** A request is answered once. */
  @Test
  @DisplayName("B-007: a second answer to a request fails")
  default void secondAnswer() {
    try (VerbsBed bed = open()) {
      Promise<ConnectionRequest> request = Promise.promise();
      VerbsListener listener = bed.listen(request::complete);
      Future<?> connected =
          bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
      ConnectionRequest asked = Waiting.await(request.future());
      Future<?> first = bed.accept(asked, bed.server(), ConnectionOptions.DEFAULT);
      assertThat(Waiting.awaitFailure(bed.accept(asked, bed.server(),
          ConnectionOptions.DEFAULT))).isInstanceOf(IllegalStateException.class);
      assertThat(Waiting.awaitFailure(asked.reject(Buffer.buffer())))
          .isInstanceOf(IllegalStateException.class);
      Waiting.await(first);
      Waiting.await(connected);
    }
  }

  /** Nobody there. */
  @Test
  @DisplayName("Connecting to nobody fails as unreachable")
  default void nobodyThere() {
    try (VerbsBed bed = open()) {
      VerbsListener listener = bed.listen(request -> {});
      Waiting.await(listener.close());
      assertKind(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT),
          Kind.UNREACHABLE);
    }
  }

  /** An address serves one listener. */
  @Test
  @DisplayName("An address in use is refused, and free again after the listener's close")
  default void addressInUse() {
    try (VerbsBed bed = open()) {
      VerbsListener listener = bed.listen(request -> {});
      assertKind(bed.device().listen(bed.context(), listener.localAddress(), request -> {}),
          Kind.ADDRESS_UNAVAILABLE);
      Waiting.await(listener.close());
      Waiting.await(listener.close());
      bed.listen(listener.localAddress(), request -> {});
    }
  }

  /** A consumer that does not answer does not keep the other one waiting. */
  @Test
  @DisplayName("B-008: an unanswered request times out at the connecting side")
  default void unanswered() {
    try (VerbsBed bed = open()) {
      VerbsListener listener = bed.listen(request -> {});
      assertKind(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withTimeout(Duration.ofMillis(200))), Kind.TIMEOUT);
    }
  }

  /** An exception in setup concerns one connection. */
  @Test
  @DisplayName("A setup that throws fails its own connect or accept only")
  default void setupThrows() {
    try (VerbsBed bed = open()) {
      Peer bad = bed.client();
      bad.onSetup(created -> {
        throw new IllegalArgumentException("on purpose");
      });
      VerbsListener listener = bed.listen(request ->
          bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
      assertThat(Waiting.awaitFailure(
          bed.connect(listener.localAddress(), bad, ConnectionOptions.DEFAULT)))
          .hasMessageContaining("on purpose");
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT));
    }
  }

  /** Rejections use nothing up, so that connecting still works after very many of them. */
  @Test
  @DisplayName("B-126: after 500 rejections a connection still comes up")
  default void manyRejections() {
    try (VerbsBed bed = open()) {
      int[] left = {500};
      VerbsListener listener = bed.listen(request -> {
        if (left[0]-- > 0) {
          request.reject(Buffer.buffer());
        } else {
          bed.accept(request, bed.server(), ConnectionOptions.DEFAULT);
        }
      });
      for (int i = 0; i < 500; i++) {
        assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(),
            ConnectionOptions.DEFAULT))).isInstanceOf(ConnectionRejectedException.class);
      }
      Waiting.await(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT));
    }
  }

  /** Nothing is left behind by connections that come and go. */
  @Test
  @DisplayName("B-006, B-045: after 500 connections no registration and no exposure is left")
  default void manyConnections() {
    try (VerbsBed bed = open()) {
      VerbsListener listener = bed.listen(request ->
          bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
      for (int i = 0; i < 500; i++) {
        Peer client = bed.client();
        Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
        Waiting.await(client.close());
        assertThat(client.handler().events().get(client.handler().events().size() - 1))
            .isInstanceOf(Disconnected.class);
      }
      LeakCheck.assertNoRegistrations(bed.client().domain());
      LeakCheck.assertNoRegistrations(bed.server().domain());
    }
  }
}
