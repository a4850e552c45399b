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
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Connecting to Linux's siw. As responder it may overlook what comes right after its Reply until
 * more comes; our second zero-length Write is that more. Many connections, each with a message at
 * once: none may stall.
 */
@WithLab
@DisplayName("Connecting to Linux")
final class LinuxConnectTest {

  private static final int PORT = 7174;
  private static final int NFS_PORT = 20049;
  private static final int CONNECTIONS = 60;
  /** A connection that stalls does so for ever; one that does not takes milliseconds. */
  private static final Duration NOT_STALLED = Duration.ofSeconds(5);

  @ParameterizedTest(name = "nudge after {0} ms")
  @CsvSource({"20", "0", "1", "5"})
  @DisplayName("No connection stalls")
  void many(int nudgeMillis, LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    SocketAddress server =
        SocketAddress.inetSocketAddress(vm.forward(NFS_PORT), VerbsBed.HOST);
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
          new JsonObject().put("nudgeMillis", nudgeMillis)))) {
        long start = System.nanoTime();
        Peer client = bed.client();
        client.receive(1, 4096);
        Waiting.await(bed.connect(server, client, ConnectionOptions.DEFAULT.withPrivateData(
            Buffer.buffer(new byte[] {(byte) 0xf6, (byte) 0xab, 0x0e, 0x18, 1, 0, 3, 3}))));
        client.send(2, nullCall(i));
        client.handler().completion(Opcode.RECEIVE);
        micros.add((System.nanoTime() - start) / 1000);
        Waiting.await(client.close());
      }
    }
    Collections.sort(micros);
    System.out.println("XX " + micros);
    assertThat(micros.get(micros.size() - 1)).isLessThan(NOT_STALLED.toNanos() / 1000);
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
