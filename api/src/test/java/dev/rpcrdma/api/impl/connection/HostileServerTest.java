// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A client of ours against a server that speaks verbs and builds its own messages. */
class HostileServerTest {

  private static final int CALLS = 10;
  private static final String NO_LISTS = "00000000 00000000 00000000";
  private static final String EMPTY_RESULT = "00000001 00000000 00000000 00000000 00000000 00000000";
  /** Makes the call offer a Reply chunk. */
  private static final int MORE_THAN_INLINE = 10_000;
  private static final int XID = 0;
  private static final int REPLY_CHUNK_TAG = 8 * 4;

  private final Vertx vertx = Vertx.vertx();
  private final RpcClientOptions options = new RpcClientOptions().setProvider("siw");
  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private final RawServer server = new RawServer(raw, CALLS);
  private DeviceWatch watch;
  private RpcClient client;
  private RpcConnection connection;

  @BeforeEach
  void connect() {
    watch = new DeviceWatch(vertx, options);
    client = RpcClient.builder(vertx).with(options).build();
    connection = Waiting.await(client.channel(server.address).connect());
    server.peer.awaitEstablished();
  }

  @AfterEach
  void nothingIsLeft() {
    Waiting.await(client.close());
    watch.assertNothingLeft();
    raw.close();
    Waiting.await(vertx.close());
  }

  private Future<?> call() {
    return connection.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.opaque(new byte[4]))
        .replyBound(ReplyBound.of(MORE_THAN_INLINE))
        .results(reader -> reader.opaque(MORE_THAN_INLINE)).build());
  }

  private ByteBuffer nextCall() {
    return ByteBuffer.wrap(RawClient.bytes(server.next()));
  }

  private void answer(String hex, int tag) {
    byte[] bytes = RawClient.bytes(hex);
    LocalMemory memory = server.peer.memory(bytes);
    server.peer.post(pair -> pair.postSendWithInvalidate(1, memory, 0, bytes.length, tag));
  }

  private static String reply(ByteBuffer call) {
    return "%1$08x 00000001 00000008 00000000 %2$s %1$08x %3$s".formatted(call.getInt(XID),
        NO_LISTS, EMPTY_RESULT);
  }

  @Test
  @DisplayName("RFC 8797 §4.1: a reply may invalidate its call's own tag")
  void ownTag() {
    for (int i = 0; i < CALLS; i++) {
      Future<?> outcome = call();
      ByteBuffer call = nextCall();
      answer(reply(call), call.getInt(REPLY_CHUNK_TAG));
      Waiting.await(outcome);
    }
    assertThat(Waiting.await(connection.snapshot()).memory().exposures()).isZero();
  }

  @Test
  @DisplayName("B-037: a reply that invalidates the tag of another call costs the server its client")
  void foreignTag() {
    Future<?> first = call();
    ByteBuffer firstCall = nextCall();
    answer(reply(firstCall), firstCall.getInt(REPLY_CHUNK_TAG));
    Waiting.await(first);
    Future<?> second = call();
    Future<?> third = call();
    ByteBuffer secondCall = nextCall();
    answer(reply(secondCall), nextCall().getInt(REPLY_CHUNK_TAG));
    server.peer.awaitDisconnected();
    Waiting.await(second.transform(outcome -> Future.succeededFuture()));
    assertThat(Waiting.awaitFailure(third)).isInstanceOf(RpcConnectionLostException.class);
  }

  @Test
  @DisplayName("B-037: so does garbage that invalidates the tag of a call")
  void garbage() {
    Future<?> outcome = call();
    answer("00000000", nextCall().getInt(REPLY_CHUNK_TAG));
    server.peer.awaitDisconnected();
    assertThat(Waiting.awaitFailure(outcome)).isInstanceOf(RpcConnectionLostException.class);
  }

  @Test
  @DisplayName("B-046: bad messages use up none of a client's Receives")
  void receivesAreReplaced() {
    for (int i = 0; i < CALLS; i++) {
      // In all many times more than the client has posted.
      for (int bad = 0; bad < 10; bad++) {
        server.send("99999999 00000001 00000008 00000000" + NO_LISTS + "99999999" + EMPTY_RESULT);
        server.send("00000000");
        server.send("99999999 00000001 00000008 00000004 00000002");
      }
      Future<?> outcome = call();
      server.send(reply(nextCall()));
      Waiting.await(outcome);
    }
  }
}
