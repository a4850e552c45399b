// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
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
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a client of ours makes, over a real connection, of what a peer answers that speaks verbs and builds
 * its own messages. After each the next call is answered, and nothing is left behind.
 *
 * <p>In the rows X stands for the call's XID, N for three empty lists, and S for the head of a successful
 * reply behind its XID.
 */
class RequesterOverVerbsTest {

  private static final int MESSAGES = 20;
  private static final String N = "00000000 00000000 00000000";
  private static final String S = "00000001 00000000 00000000 00000000 00000000";
  private static final int PLACED = 5000;

  private final Vertx vertx = Vertx.vertx();
  private final RpcClientOptions options = new RpcClientOptions().setProvider("siw");
  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private final RawServer server = new RawServer(raw, MESSAGES);
  private DeviceWatch watch;
  private RpcClient client;
  private RpcConnection connection;

  @BeforeEach
  void connect() {
    watch = new DeviceWatch(vertx, options);
    client = RpcClient.builder(vertx).with(options).build();
    connection = Waiting.await(client.channel(server.address).connect());
  }

  @AfterEach
  void stillCalls() {
    assertNextIsAnswered();
    assertThat(Waiting.await(connection.snapshot()).memory().exposures()).isZero();
    Waiting.await(client.close());
    watch.assertNothingLeft();
    raw.close();
    Waiting.await(vertx.close());
  }

  private void assertNextIsAnswered() {
    Future<Buffer> next = echo();
    send(xid(server.next()), "X 00000001 00000001 00000000 N X S 00000004 abababab");
    assertThat(Waiting.await(next)).isEqualTo(Buffer.buffer(RawClient.bytes("abababab")));
  }

  private Future<Buffer> echo() {
    return connection.call(EchoService.echo(new byte[4]));
  }

  /** A call that offers a Reply chunk of 10 024 bytes. */
  private Future<byte[]> longReply() {
    return connection.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.opaque(new byte[4])).replyBound(ReplyBound.of(10_000))
        .results(reader -> reader.opaque(10_000)).build());
  }

  /** A call that offers a Write chunk. */
  private Future<byte[]> placed() {
    return connection.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(writer -> writer.opaque(new byte[4])).placedResult(PLACED)
        .results(reader -> reader.dataItem(PLACED).toByteArray()).build());
  }

  private static String xid(String call) {
    return call.substring(0, 8);
  }

  private void send(String xid, String row) {
    server.send(row.replace("X", xid).replace("N", N).replace("S", S));
  }

  /** The handle, length and offset of the one segment that a call offers for its results. */
  private static String[] segment(String call) {
    String[] words = call.split(" ");
    int at = 4;
    while (!words[at].equals("00000001")) {
      at++;
    }
    return new String[] {words[at + 2], words[at + 3], words[at + 4] + words[at + 5]};
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = """
      R-150: ERR_CHUNK                            | X 00000001 00000001 00000004 00000002
      R-150: ERR_VERS                             | X 00000001 00000001 00000004 00000001 00000001 00000001
      R-143 C-10: another version                 | X 00000002 00000001 00000000 N
      R-143: an unknown procedure                 | X 00000001 00000001 00000063 N
      R-129 R-143: RDMA_MSGP                      | X 00000001 00000001 00000002 N
      R-143: lists that cannot be decoded         | X 00000001 00000001 00000000 00000005 00000000 00000000
      R-120 R-143: another XID inside             | X 00000001 00000001 00000000 N 99999999 S
      R-088 R-143: a Read list                    | X 00000001 00000001 00000000 00000001 0000001c \
      00000abc 00000008 00000000 00000000 N X S
      R-074 R-143: a Write chunk that was not offered | X 00000001 00000001 00000000 00000000 00000001 \
      00000001 00000abc 00000004 00000000 00000000 00000000 00000000 X S
      R-087 R-143: a Reply chunk that was not offered | X 00000001 00000001 00000001 00000000 00000000 \
      00000001 00000001 00000abc 00000020 00000000 00000000
      R-125: an RDMA_NOMSG without a Reply chunk  | X 00000001 00000001 00000001 N
      a head that says nothing                    | X 00000001 00000001 00000000 N X 00000001 00000007 \
      00000000 00000000
      """)
  void failsItsCall(String what, String answer) {
    Future<Buffer> call = echo();
    send(xid(server.next()), answer);
    assertThat(Waiting.awaitFailure(call)).as(what).isInstanceOf(RpcTransportException.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = """
      R-141: nothing                              | 00
      R-141 C-08: a header cut short              | X 00000001 00000001 00000000
      R-141: a head that is cut short             | X 00000001 00000001 00000000 N X 00000001 00000000
      B-082: a reply to no call                   | 99999999 00000001 00000001 00000000 N 99999999 S
      R-131: RDMA_DONE                            | X 00000001 00000001 00000003
      R-151: RDMA_ERROR that is cut short         | X 00000001 00000001 00000004
      R-151: RDMA_ERROR of an unknown kind        | X 00000001 00000001 00000004 00000009
      R-151: ERR_VERS without versions            | X 00000001 00000001 00000004 00000001 00000001
      R-036: RDMA_ERROR for no call               | 99999999 00000001 00000001 00000004 00000002
      R-143: garbage of another version           | 99999999 00000002 00000001 00000000 N
      """)
  void leavesItsCallAlone(String what, String message) {
    Future<Buffer> call = echo();
    String xid = xid(server.next());
    send(xid, message);
    send(xid, "X 00000001 00000001 00000000 N X S 00000004 cdcdcdcd");
    assertThat(Waiting.await(call)).as("the reply behind " + what)
        .isEqualTo(Buffer.buffer(RawClient.bytes("cdcdcdcd")));
  }

  @Test
  @DisplayName("C-03 B-050: a grant of zero is one")
  void grantOfZero() {
    Future<Buffer> call = echo();
    send(xid(server.next()), "X 00000001 00000000 00000000 N X S 00000000");
    Waiting.await(call);
    assertThat(Waiting.await(connection.snapshot()).calls().creditsGranted()).isEqualTo(1);
  }

  @Test
  @DisplayName("B-082: of two replies to one call the second is dropped")
  void twoReplies() {
    Future<Buffer> call = echo();
    String xid = xid(server.next());
    send(xid, "X 00000001 00000001 00000000 N X S 00000004 11111111");
    send(xid, "X 00000001 00000001 00000000 N X S 00000004 22222222");
    assertThat(Waiting.await(call)).isEqualTo(Buffer.buffer(RawClient.bytes("11111111")));
  }

  @Test
  @DisplayName("R-023: a reply to a call that was given up frees its credit, and nothing else")
  void lateReply() {
    Future<Void> call = connection.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).build());
    String xid = xid(server.next());
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcTimeoutException.class);
    send(xid, "X 00000001 00000001 00000000 N X S");
  }

  @Test
  @DisplayName("R-087 R-143: a Reply chunk that comes back longer than it was")
  void longReplyChunk() {
    Future<byte[]> call = longReply();
    String message = server.next();
    String[] segment = segment(message);
    int length = Integer.parseInt(segment[1], 16) + 4;
    send(xid(message), "X 00000001 00000001 00000001 00000000 00000000 00000001 00000001" + segment[0]
        + "%08x".formatted(length) + segment[2]);
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining("R-087");
  }

  @Test
  @DisplayName("R-105 R-171: a Reply chunk is read as far as it was filled")
  void replyChunk() {
    Future<byte[]> call = longReply();
    String message = server.next();
    String[] segment = segment(message);
    String reply = (xid(message) + S + "00000005 6162636465 000000").replace(" ", "");
    write(reply, segment);
    send(xid(message), "X 00000001 00000001 00000001 00000000 00000000 00000001 00000001" + segment[0]
        + "%08x".formatted(reply.length() / 2) + segment[2]);
    assertThat(Waiting.await(call)).isEqualTo("abcde".getBytes());
  }

  private void write(String hex, String[] segment) {
    byte[] bytes = RawClient.bytes(hex);
    LocalMemory memory = server.peer.memory(bytes);
    server.peer.post(pair -> pair.postWrite(2, memory, 0, bytes.length,
        Integer.parseUnsignedInt(segment[0], 16), Long.parseUnsignedLong(segment[2], 16)));
  }

  @ParameterizedTest
  @CsvSource({"00001389, R-074", "00000004, R-158", "00000000, R-158"})
  @DisplayName("R-074 R-158: a Write chunk that comes back longer than it was, or not as long as its result")
  void writeChunkOfAnotherLength(String length, String rule) {
    Future<byte[]> call = placed();
    String message = server.next();
    String[] segment = segment(message);
    send(xid(message), "X 00000001 00000001 00000000 00000000 00000001 00000001" + segment[0] + length
        + segment[2] + "00000000 00000000 X S 00000005");
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(rule.equals("R-074") ? RpcTransportException.class
        : RpcDecodingException.class);
  }

  @Test
  @DisplayName("R-073 R-171: a result is taken from its Write chunk")
  void writeChunk() {
    Future<byte[]> call = placed();
    String message = server.next();
    String[] segment = segment(message);
    write("6162636465", segment);
    send(xid(message), "X 00000001 00000001 00000000 00000000 00000001 00000001" + segment[0]
        + "00000005" + segment[2] + "00000000 00000000 X S 00000005");
    assertThat(Waiting.await(call)).isEqualTo("abcde".getBytes());
  }
}
