// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies to be pulled, over a real connection, by and from a peer that speaks verbs and builds its own messages. */
@Tag("slow")
class LargeRepliesOverVerbsTest {

  private static final String NO_LISTS = "00000000 00000000 00000000";
  /** Words behind the XID of a reply without results. */
  private static final String SUCCESS = "00000001 00000000 00000000 00000000 00000000";

  /** What stands for a connection without Reads in an announcement. */
  private static final String NO_READS = " 2006f003 00000001";

  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private final Vertx vertx = Vertx.vertx();
  private final RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions()).build();
  private RpcBed bed;
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(vertx.close());
    raw.close();
    if (bed != null) {
      bed.close();
    }
  }

  /** What a peer of this library would say of itself. */
  private static ConnectionOptions showing(boolean client, Features features) {
    return showing(client, features, 16);
  }

  /** The same, with so many Reads that it serves. */
  private static ConnectionOptions showing(boolean client, Features features, int reads) {
    InstanceId id = new InstanceId(3, 4);
    SessionBlock block = client ? new SessionBlock(5, id, Optional.empty(), 1) : SessionBlock.ofServer(8, id);
    Buffer privateData = Buffer.buffer(new CmPrivateData(false, 4096, 4096).toByteArray())
        .appendBytes(block.with(features).toByteArray());
    return new ConnectionOptions(128, 128, 16, reads, privateData, Duration.ofSeconds(10));
  }

  // A server of ours

  private RawClient connect(RpcServerOptions options) {
    bed = new RpcBed(options, new RpcClientOptions());
    bed.server.connectionHandler(accepted::add);
    return new RawClient(raw, bed.address(), showing(true, new Features(true, false, false, false)));
  }

  private static String zeros(int xid, int length) {
    return "%1$08x 00000001 00000010 00000000".formatted(xid) + NO_LISTS + "%08x".formatted(xid)
        + "00000000 00000002 20060099 00000001 00000008 00000000 00000000 00000000 00000000 %08x".formatted(length);
  }

  private static String done(int xid) {
    return "%08x 00000001 00000010 00000003".formatted(xid);
  }

  private ConnectionSnapshot ofServer() {
    return Waiting.await(accepted.peek().snapshot());
  }

  @ParameterizedTest(name = "DONE invalidates: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("R-261 R-262 R-264 R-268 R-270 R-274 R-283: a client reads what its server has provided, and says so")
  void provided(boolean invalidates) {
    RawClient client = connect(new RpcServerOptions());
    client.send(zeros(9, 5000));
    String[] words = client.answer().split(" ");
    assertThat(Arrays.copyOf(words, 6)).as("RDMA_NOMSG, a Read chunk at Position zero")
        .containsExactly("00000009", "00000001", "00000040", "00000001", "00000001", "00000000");
    assertThat(Arrays.copyOfRange(words, 10, words.length)).as("nothing else").containsExactly("00000000", "00000000",
        "00000000");
    int handle = Integer.parseUnsignedInt(words[6], 16);
    int length = Integer.parseInt(words[7], 16);
    assertThat(length).isEqualTo(24 + 4 + 5000);
    long offset = Long.parseUnsignedLong(words[8] + words[9], 16);
    Buffer reply = Buffer.buffer(client.read(handle, length, offset));
    assertThat(reply.getInt(0)).isEqualTo(9);
    assertThat(reply.getInt(24)).isEqualTo(5000);
    assertThat(ofServer().memory().providedBytes()).isEqualTo(length);
    if (invalidates) {
      byte[] message = RawClient.bytes(done(9));
      client.peer.post(pair -> pair.postSendWithInvalidate(3, client.peer.memory(message), 0, message.length, handle));
    } else {
      client.send(done(9));
    }
    Waiting.until(() -> ofServer().memory().providedBytes() == 0);
    assertThat(ofServer().memory().exposures()).isZero();
    client.receive();
    client.send(zeros(10, 4));
    assertThat(client.answer()).startsWith("0000000a 00000001 00000040 00000000");
  }

  private long pendingReplyBytes() {
    return Waiting.await(bed.server.snapshot()).pendingReplies().bytes();
  }

  @Test
  @DisplayName("Fails if a reply that waits to be pulled does not count by its length, whether or not it was expected"
      + " to be long")
  void counted() {
    RawClient client = connect(new RpcServerOptions());
    client.send(zeros(9, 5000));
    client.answer();
    assertThat(pendingReplyBytes()).as("the first one, of which nobody knew").isEqualTo(5004);
    client.send(done(9));
    Waiting.until(() -> pendingReplyBytes() == 0);
    client.receive();
    client.send(zeros(10, 4));
    client.answer();
    // Makes the estimate short: a procedure's reply is forgotten by an eighth with each shorter one.
    for (int xid = 11; xid < 14; xid++) {
      client.receive();
      client.send(zeros(xid, 4));
      client.answer();
    }
    client.receive();
    client.send(zeros(14, 6000));
    client.answer();
    assertThat(pendingReplyBytes()).as("the one that is longer than was expected").isEqualTo(6004);
    client.send(done(14));
    Waiting.until(() -> pendingReplyBytes() == 0);
  }

  @Test
  @DisplayName("R-272 R-338: a client that never says DONE keeps a reply for a while, and loses the connection by"
      + " reading it after that")
  void neverDone() {
    RawClient client = connect(new RpcServerOptions().setServiceTimeout(Duration.ofMillis(50)));
    client.send(zeros(9, 5000));
    String[] words = client.answer().split(" ");
    Waiting.until(() -> ofServer().memory().providedBytes() == 0);
    client.peer.post(pair -> pair.postRead(7, client.peer.memory(100), 0, 100,
        Integer.parseUnsignedInt(words[6], 16), Long.parseUnsignedLong(words[8] + words[9], 16)));
    client.peer.awaitDisconnected();
    Waiting.await(accepted.peek().closeFuture());
  }

  @Test
  @DisplayName("R-270 R-279 C-29 R-338: any number of DONE for nothing costs no call its Receive")
  void floodOfDone() {
    RawClient client = connect(new RpcServerOptions());
    for (int i = 0; i < 1000; i++) {
      client.send(done(i));
    }
    client.send(zeros(9, 4));
    assertThat(client.answer()).startsWith("00000009 00000001 00000040 00000000");
  }

  @Test
  @DisplayName("R-283 R-337: what is provided cannot be written")
  void readOnly() {
    RawClient client = connect(new RpcServerOptions());
    client.send(zeros(9, 5000));
    String[] words = client.answer().split(" ");
    client.peer.post(pair -> pair.postWrite(7, client.peer.memory(100), 0, 100,
        Integer.parseUnsignedInt(words[6], 16), Long.parseUnsignedLong(words[8] + words[9], 16)));
    client.peer.awaitDisconnected();
  }

  @Test
  @DisplayName("R-260 R-265: nothing is provided to a client that announces that it has no Reads")
  void clientWithoutReads() {
    RawClient client = connect(new RpcServerOptions());
    client.send("00000007 00000001 00000010 00000000" + NO_LISTS + "00000007 00000000 00000002 2006f000 00000001"
        + " 00000001 00000000 00000000 00000000 00000000 00000001" + NO_READS);
    assertThat(client.answer()).startsWith("00000007 00000001 00000040 00000000");
    client.receive();
    client.send(zeros(9, 5000));
    assertThat(client.answer()).as("ERR_CHUNK").isEqualTo("00000009 00000001 00000040 00000004 00000002");
    assertThat(ofServer().messages().providedReplies()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @DisplayName("R-260: a server does not show that it pulls replies from a client that serves no Reads")
  void clientThatServesNoReads(int reads) {
    bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions());
    RawClient client = new RawClient(raw, bed.address(), showing(true, new Features(true, true, false, false), reads));
    SessionBlock shown = SessionBlock.find(client.peer.queuePair().privateData().getBytes()).orElseThrow();
    assertThat(shown.features().pullsReplies()).isEqualTo(reads > 0);
  }

  // A client of ours

  /** Connects, and has the server take note of what the client announces. */
  private RpcConnection connect(RawServer server) {
    Future<RpcConnection> connecting = client.channel(server.address).connect();
    String xid = server.next().substring(0, 8);
    server.send(xid + "00000001 00000010 00000000" + NO_LISTS + xid + SUCCESS);
    return Waiting.await(connecting);
  }

  @ParameterizedTest(name = "DONE invalidates: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("R-266 R-267 R-268 R-273 R-274 C-28: a client pulls what a server provides, and says that it has")
  void pulled(boolean invalidates) {
    RawServer server = new RawServer(raw, 20, showing(false, new Features(false, true, invalidates, false)));
    RpcConnection connection = connect(server);
    Future<Integer> call = connection.call(EchoService.zeros(8));
    String sent = server.next();
    assertThat(sent.split(" ")).as("no chunk is offered").startsWith(sent.substring(0, 8), "00000001", "00000040",
        "00000000", "00000000", "00000000", "00000000");
    byte[] reply = RawClient.bytes(sent.substring(0, 8) + SUCCESS + "00000008 0000000000000000");
    Exposure kept = server.peer.expose(server.peer.memory(reply), Access.REMOTE_READ);
    server.send(sent.substring(0, 8) + "00000001 00000010 00000001 00000001 00000000" + RawClient.segment(kept)
        + NO_LISTS);
    assertThat(Waiting.await(call)).isEqualTo(8);
    assertThat(server.next()).isEqualTo(sent.substring(0, 8) + " 00000001 00000040 00000003");
    assertThat(server.peer.exposures()).isEqualTo(invalidates ? 0 : 1);
    assertThat(Waiting.await(connection.snapshot()).messages().pulledReplies()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-269: a client says DONE for a reply to no call, and goes on")
  void nobodys() {
    RawServer server = new RawServer(raw, 20, showing(false, new Features(false, true, false, false)));
    RpcConnection connection = connect(server);
    Exposure kept = server.peer.expose(
        server.peer.memory(RawClient.bytes("99999999" + SUCCESS)), Access.REMOTE_READ);
    server.send("99999999 00000001 00000010 00000001 00000001 00000000" + RawClient.segment(kept) + NO_LISTS);
    assertThat(server.next()).isEqualTo("99999999 00000001 00000040 00000003");
    Future<Integer> call = connection.call(EchoService.zeros(0));
    String sent = server.next().substring(0, 8);
    server.send(sent + "00000001 00000010 00000000" + NO_LISTS + sent + SUCCESS + "00000000");
    assertThat(Waiting.await(call)).isZero();
  }

  @Test
  @DisplayName("R-260: a client that finds that its connection has no Reads says so first of all")
  void serverWithoutReads() {
    RawServer server = new RawServer(raw, 20, showing(false, new Features(false, true, false, false), 0));
    client.channel(server.address).connect();
    assertThat(server.next()).as("ANNOUNCE").contains("2006f000 00000001 00000001").endsWith("00000001" + NO_READS);
  }

  @Test
  @DisplayName("R-260: a client that has Reads has nothing to say of them")
  void serverWithReads() {
    RawServer server = new RawServer(raw, 20, showing(false, new Features(false, true, false, false)));
    client.channel(server.address).connect();
    assertThat(server.next()).as("ANNOUNCE").contains("2006f000 00000001 00000001").endsWith("00000000");
  }
}
