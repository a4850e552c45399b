// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connecting to Linux's siw. As responder it may overlook what comes right after its Reply until
 * more comes; our second zero-length Write is that more. Many connections, each with a message at
 * once: none may stall.
 */
@WithLab
@DisplayName("Connecting to Linux")
final class LinuxConnectTest {

  private static final int PORT = 20049;
  private static final int CONNECTIONS = 60;
  /** A connection that stalls does so until more comes; one that does not takes milliseconds. */
  private static final Duration NOT_STALLED = Duration.ofSeconds(5);

  /** RFC 8797, as this side says it: version 1, no remote invalidation, 4096 bytes each way. */
  private static final byte[] OURS = HexFormat.of().parseHex("f6ab0e1801000303");

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("Linux takes our IRD for its Reads and offers as many as we ask for")
  void negotiated(boolean crc, LabVm vm) {
    SocketAddress server = nfsServer(vm);
    try (VerbsBed bed = bed(crc)) {
      Peer client = connected(bed, server);
      assertThat(client.call(QueuePair::privateData).getBytes()).isEqualTo(OURS);
      assertThat(client.call(QueuePair::outboundReads)).isEqualTo(16);
      Waiting.await(client.close());
    }
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("No connection stalls")
  void many(boolean crc, LabVm vm) {
    SocketAddress server = nfsServer(vm);
    List<Long> millis = new ArrayList<>();
    try (VerbsBed bed = bed(crc)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        long start = System.nanoTime();
        Peer client = connected(bed, server);
        client.send(2, nullCall(i));
        assertThat(client.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
        millis.add((System.nanoTime() - start) / 1_000_000);
        Waiting.await(client.close());
      }
    }
    Collections.sort(millis);
    System.out.println("Milliseconds from connect to first reply, of " + CONNECTIONS
        + " connections: median " + millis.get(CONNECTIONS / 2) + ", longest "
        + millis.get(CONNECTIONS - 1));
    assertThat(millis).allMatch(each -> each < NOT_STALLED.toMillis());
  }

  private static SocketAddress nfsServer(LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    return SocketAddress.inetSocketAddress(vm.forward(PORT), VerbsBed.HOST);
  }

  private static VerbsBed bed(boolean crc) {
    return new VerbsBed(new SiwProvider(),
        DeviceOptions.DEFAULT.withSettings(new JsonObject().put("crc", crc)));
  }

  private static Peer connected(VerbsBed bed, SocketAddress server) {
    Peer client = bed.client();
    client.receive(1, 4096);
    Waiting.await(bed.connect(server, client,
        ConnectionOptions.DEFAULT.withPrivateData(Buffer.buffer(OURS))));
    client.awaitEstablished();
    return client;
  }

  /** NFS version 3, NULL, in one RDMA_MSG. */
  private static byte[] nullCall(int xid) {
    ByteBuffer call = ByteBuffer.allocate(68);
    for (int word : new int[] {xid, 1, 32, 0, 0, 0, 0, xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0}) {
      call.putInt(word);
    }
    return call.array();
  }
}
