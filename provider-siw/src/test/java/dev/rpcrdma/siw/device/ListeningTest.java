// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwOptions;
import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.resolver.NameResolver;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listening: names, limits, and what becomes of those who come while it ends. */
@DisplayName("siw: listening")
final class ListeningTest {

  private static final SocketAddress ANY_PORT = SocketAddress.inetSocketAddress(0, VerbsBed.HOST);

  private static VerbsBed bed(String... settings) {
    JsonObject json = new JsonObject();
    for (String setting : settings) {
      json.put(setting.split("=")[0], Integer.valueOf(setting.split("=")[1]));
    }
    return new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(json));
  }

  /** An object of an interface that does one method in its own way. */
  private static <T> T instead(Class<T> type, T original, String method, Supplier<Object> own) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
        (proxy, called, arguments) -> {
          if (called.getName().equals(method)) {
            return own.get();
          }
          try {
            return called.invoke(original, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }

  private static void assertFailed(Future<?> future, VerbsException.Kind kind, String... words) {
    Throwable failure = Waiting.awaitFailure(future);
    assertThat(failure).isInstanceOf(VerbsException.class).hasMessageContainingAll(words);
    assertThat(((VerbsException) failure).kind()).isEqualTo(kind);
  }

  /** Fails if what is opened is added without another look at whether the device is being closed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("What is asked of a device while it closes fails, and leaves nothing open")
  void deviceCloses(boolean listening) {
    try (VerbsBed bed = bed()) {
      VerbsListener elsewhere = bed.listen(request -> {});
      ContextInternal real = (ContextInternal) bed.context();
      // The context is asked for its loop between the first look and the rest.
      Context closing = instead(ContextInternal.class, real, "unwrap", () -> {
        Waiting.await(bed.device().close());
        return real;
      });
      assertFailed(listening ? bed.device().listen(closing, ANY_PORT, request -> {})
          : bed.device().connect(closing, elsewhere.localAddress(), bed.client().domain(),
              ConnectionOptions.DEFAULT, bed.client()::setUp), VerbsException.Kind.CLOSED, "closed");
      assertThat(((SiwDevice) bed.device()).connections()).isZero();
    }
  }

  /** Fails if the JDK is asked, or if anyone waits for the answer. */
  @Test
  @DisplayName("A name is resolved by Vert.x, and nobody waits for it on the caller's thread")
  void resolves() {
    try (VerbsBed bed = bed()) {
      Promise<java.net.SocketAddress> resolved = Promise.promise();
      VertxInternal real = (VertxInternal) bed.vertx();
      NameResolver resolver = new NameResolver(real, new AddressResolverOptions()) {
        @Override
        public Future<java.net.SocketAddress> resolve(SocketAddress address) {
          assertThat(address.host()).isEqualTo("server.invalid");
          return resolved.future();
        }
      };
      SiwDevice device = SiwDevice.open(
          instead(VertxInternal.class, real, "nameResolver", () -> resolver), SiwOptions.DEFAULT,
          Optional.empty());
      Future<VerbsListener> listening = device.listen(bed.context(),
          SocketAddress.inetSocketAddress(0, "server.invalid"), request -> {});
      assertThat(listening.isComplete()).isFalse();
      resolved.complete(new InetSocketAddress(VerbsBed.HOST, 0));
      assertThat(Waiting.await(listening).localAddress().hostAddress()).isEqualTo(VerbsBed.HOST);
      Waiting.await(device.close());
    }
  }

  /** Fails if the message is that of the exception, which is often none. */
  @Test
  @DisplayName("Who listens on a host that nobody knows, or that is elsewhere, is told which one")
  void unknownHost() {
    try (VerbsBed bed = bed()) {
      VertxInternal real = (VertxInternal) bed.vertx();
      NameResolver resolver = new NameResolver(real, new AddressResolverOptions()) {
        @Override
        public Future<java.net.SocketAddress> resolve(SocketAddress address) {
          return Future.failedFuture(new UnknownHostException());
        }
      };
      SiwDevice device = SiwDevice.open(
          instead(VertxInternal.class, real, "nameResolver", () -> resolver), SiwOptions.DEFAULT,
          Optional.empty());
      assertFailed(device.listen(bed.context(), SocketAddress.inetSocketAddress(0, "server.invalid"),
          request -> {}), VerbsException.Kind.ADDRESS_UNAVAILABLE, "server.invalid", "unknown host");
      Waiting.await(device.close());
      assertFailed(bed.device().listen(bed.context(), SocketAddress.inetSocketAddress(0, "192.0.2.1"),
          request -> {}), VerbsException.Kind.ADDRESS_UNAVAILABLE, "192.0.2.1");
    }
  }

  /** Fails if those who come late, or wait for an answer, are closed without one. */
  @Test
  @DisplayName("P-004: a listener that is closed rejects who waits for an answer, and who asks late")
  void rejectsLate() throws Exception {
    try (VerbsBed bed = bed()) {
      CompletableFuture<ConnectionRequest> asked = new CompletableFuture<>();
      VerbsListener listener = bed.listen(asked::complete);
      // Those before it have been accepted when the last one is asked for.
      try (RawPeer late = new RawPeer(listener.localAddress());
          RawPeer accepted = new RawPeer(listener.localAddress());
          RawPeer waiting = new RawPeer(listener.localAddress())) {
        late.write(Arrays.copyOf(RawPeer.REQUEST, 1));
        waiting.write(RawPeer.REQUEST);
        ConnectionRequest request = asked.get(10, TimeUnit.SECONDS);
        Waiting.await(listener.close());
        assertRejected(waiting);
        late.write(Arrays.copyOfRange(RawPeer.REQUEST, 1, RawPeer.REQUEST.length));
        assertRejected(late);
        accepted.write(RawPeer.REQUEST);
        assertRejected(accepted);
        assertThat(Waiting.awaitFailure(bed.accept(request, bed.server(), ConnectionOptions.DEFAULT)))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  private static void assertRejected(RawPeer peer) throws IOException {
    MpaFrame reply = peer.readReply();
    assertThat(reply.rejected()).isTrue();
    assertThat(peer.atEnd()).isTrue();
  }

  /** Fails if the deadline of startup still holds when the listener has gone. */
  @Test
  @DisplayName("P-004: who says nothing to a closed listener is let go soon")
  void silentWhenClosed() throws Exception {
    try (VerbsBed bed = bed("startupTimeoutMillis=120000", "closeTimeoutMillis=100")) {
      VerbsListener listener = bed.listen(request -> {});
      try (RawPeer silent = new RawPeer(listener.localAddress());
          RawPeer known = new RawPeer(listener.localAddress())) {
        // Both are accepted when the second one has been answered.
        known.write(Fpdus.send(1));
        assertThat(known.isClosed()).isTrue();
        Waiting.await(listener.close());
        assertThat(silent.isClosed()).isTrue();
      }
    }
  }

  /** Fails if one of both counts is not looked at, or does not go down again; or if nothing names the limit. */
  @Test
  @DisplayName("P-028: a remote address has so many connections, and so many of them in startup")
  void perAddress() throws Exception {
    try (LoggedMessages logged = new LoggedMessages(SiwListener.class.getName());
        VerbsBed bed = bed("maxConnectionsPerAddress=3", "maxPendingPerAddress=2")) {
      List<Peer> servers = new ArrayList<>();
      VerbsListener listener = bed.listen(request -> {
        Peer server = bed.server();
        servers.add(server);
        bed.accept(request, server, ConnectionOptions.DEFAULT);
      });
      for (int round = 0; round < 2; round++) {
        servers.clear();
        try (RawPeer one = new RawPeer(listener.localAddress());
            RawPeer two = new RawPeer(listener.localAddress());
            RawPeer beyondStartup = new RawPeer(listener.localAddress())) {
          assertThat(beyondStartup.isClosed()).as("a third one in startup").isTrue();
          one.write(RawPeer.REQUEST);
          one.readReply();
          two.write(RawPeer.REQUEST);
          two.readReply();
          try (RawPeer three = new RawPeer(listener.localAddress());
              RawPeer beyond = new RawPeer(listener.localAddress())) {
            assertThat(beyond.isClosed()).as("a fourth one").isTrue();
            three.write(RawPeer.REQUEST);
            three.readReply();
          }
        }
        for (Peer server : servers) {
          server.awaitDisconnected();
          Waiting.await(server.close());
        }
        assertThat(servers).hasSize(3);
      }
      assertThat(logged.all()).as("no more often than once in some seconds").singleElement().asString()
          .contains("127.0.0.1").contains("maxPendingPerAddress");
    }
  }

  /** Fails if {@code Initiator.ended} does not say what such an end may mean. */
  @Test
  @DisplayName("P-028: who is turned away for a limit is told which ones there are, and where it is named")
  void turnedAway() throws Exception {
    try (VerbsBed bed = bed("maxPendingPerAddress=1")) {
      VerbsListener listener = bed.listen(request -> { });
      try (RawPeer inStartup = new RawPeer(listener.localAddress())) {
        inStartup.write(RawPeer.REQUEST[0]);
        assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT)))
            .hasMessageContaining("closed the connection before it answered the MPA Request")
            .hasMessageContaining("maxPendingPerAddress").hasMessageContaining("no iWARP responder");
      }
    }
  }

  /** Fails if a part of an FPDU may stay for as long as it likes, also behind one that came in time. */
  @Test
  @DisplayName("P-028, B-141: who begins an FPDU and does not go on is terminated; who is idle is not")
  void partOfFpdu() throws Exception {
    try (VerbsBed bed = bed("fpduTimeoutMillis=200")) {
      Peer idle = bed.server();
      idle.receive(1, 64);
      idle.receive(2, 64);
      idle.receive(3, 64);
      Peer stuck = bed.server();
      stuck.receive(1, 64);
      stuck.receive(2, 64);
      List<Peer> servers = new ArrayList<>(List.of(idle, stuck));
      VerbsListener listener = bed.listen(
          request -> bed.accept(request, servers.remove(0), ConnectionOptions.DEFAULT));
      try (RawPeer good = RawPeer.connected(listener.localAddress());
          RawPeer bad = RawPeer.connected(listener.localAddress())) {
        byte[] send = Fpdus.send(1, new byte[8]);
        good.write(Arrays.copyOf(send, 7));
        good.write(Arrays.copyOfRange(send, 7, send.length));
        idle.handler().completion(Opcode.RECEIVE);
        // One FPDU has to come, for a responder may not tell anything before (RFC 5044 §7.1.2).
        bad.write(Fpdus.concat(Fpdus.write(0, 0), Arrays.copyOf(send, send.length - 1)));
        good.write(Fpdus.send(2, new byte[8]));
        idle.handler().completion(Opcode.RECEIVE);
        // The next FPDU has its own time, though the timer is that of the first.
        bad.write(Fpdus.concat(Arrays.copyOfRange(send, send.length - 1, send.length),
            Arrays.copyOf(Fpdus.send(2, new byte[8]), send.length - 1)));
        stuck.handler().completion(Opcode.RECEIVE);
        assertThat(bad.readTerminate() >>> 16).isEqualTo(0x0207);
        assertThat(stuck.awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_ERROR);
        good.write(Fpdus.send(3, new byte[8]));
        idle.handler().completion(Opcode.RECEIVE);
      }
      idle.awaitDisconnected();
    }
  }

  private static Channel channel(VerbsListener listener) {
    try {
      Field field = SiwListener.class.getDeclaredField("channel");
      field.setAccessible(true);
      return (Channel) field.get(listener);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Fails if {@code SiwListener.bound} leaves failures to the end of the pipeline, or hides them from Netty. */
  @Test
  @DisplayName("A failure to accept is said once in words, and accepting goes on")
  void acceptFailures() {
    String tail = "io.netty.channel.DefaultChannelPipeline";
    try (VerbsBed bed = bed(); LoggedMessages logged = new LoggedMessages(AcceptFailures.class.getName());
        LoggedMessages unhandled = new LoggedMessages(tail)) {
      Channel channel = channel(bed.listen(request -> {}));
      Waiting.await(Future.<Void>future(done -> channel.eventLoop().execute(() -> {
        for (int i = 0; i < 3; i++) {
          channel.pipeline().fireExceptionCaught(new IOException("accept(..) failed: Too many open files"));
        }
        assertThat(channel.config().isAutoRead()).as("Netty's handler was asked").isFalse();
        done.complete();
      })));
      assertThat(unhandled.all()).isEmpty();
      assertThat(logged.all()).singleElement().asString().contains("No connection can be accepted at ")
          .contains("Too many open files. Clients wait").contains("ulimit -n");
      Waiting.until(() -> channel.config().isAutoRead());
    }
  }

  /** Fails if a logger that throws gets through to Netty. */
  @Test
  @DisplayName("A failure whose log fails ends nothing")
  void acceptFailureWithoutALog() {
    Logger logger = Logger.getLogger(AcceptFailures.class.getName());
    Handler broken = new Handler() {
      @Override
      public void publish(LogRecord message) {
        throw new NoClassDefFoundError("on purpose");
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(broken);
    try {
      EmbeddedChannel channel = new EmbeddedChannel(new AcceptFailures());
      channel.pipeline().fireExceptionCaught(new IOException("Too many open files"));
      channel.checkException();
      assertThat(channel.isOpen()).isTrue();
    } finally {
      logger.removeHandler(broken);
    }
  }

  /** Fails if {@code SiwConnection.fpduDue} does not ask whether an FPDU has been completed since. */
  @Test
  @DisplayName("P-028: a peer whose FPDUs are completed goes on, though a part of the next one is there each time")
  void partsOfFpdus() throws Exception {
    try (VerbsBed bed = bed("fpduTimeoutMillis=1000")) {
      Peer moving = bed.server();
      for (int number = 1; number <= 3; number++) {
        moving.receive(number, 64);
      }
      Peer stuck = bed.server();
      List<Peer> servers = new ArrayList<>(List.of(moving, stuck));
      VerbsListener listener = bed.listen(
          request -> bed.accept(request, servers.remove(0), ConnectionOptions.DEFAULT));
      try (RawPeer good = RawPeer.connected(listener.localAddress());
          RawPeer bad = RawPeer.connected(listener.localAddress())) {
        byte[] second = Fpdus.send(2, new byte[8]);
        byte[] third = Fpdus.send(3, new byte[8]);
        good.write(Fpdus.concat(Fpdus.send(1, new byte[8]), Arrays.copyOf(second, 7)));
        moving.handler().completion(Opcode.RECEIVE);
        good.write(Fpdus.concat(Arrays.copyOfRange(second, 7, second.length), Arrays.copyOf(third, 7)));
        moving.handler().completion(Opcode.RECEIVE);
        // Its time begins later than that of the peer which goes on.
        bad.write(Fpdus.concat(Fpdus.write(0, 0), Arrays.copyOf(second, 7)));
        assertThat(bad.readTerminate() >>> 16).isEqualTo(0x0207);
        good.write(Arrays.copyOfRange(third, 7, third.length));
        assertThat(moving.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
      }
      moving.awaitDisconnected();
      stuck.awaitDisconnected();
    }
  }
}
