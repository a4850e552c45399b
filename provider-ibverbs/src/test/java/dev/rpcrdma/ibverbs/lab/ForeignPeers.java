// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestProgram;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs of Debian's rdmacm-utils at the other end of a connection, in both roles. Run in the lab's VM. */
@DisplayName("Peers of others")
class ForeignPeers {

  private static final int PORT = 7471;
  /** Of {@code ucmatose}, at the same time. */
  private static final int CONNECTIONS = 3;
  /** On each connection, each way. */
  private static final int MESSAGES = 4;
  /** One that is put into its work request, and one that is not. */
  private static final List<Integer> SIZES = List.of(64, 50_000);
  /** Of {@code rdma_client} and {@code rdma_server}, which send zeros. */
  private static final int SHORT = 16;
  /** The C library fills memory that a program is given with the complement of this, if it was not just freed. */
  private static final int PERTURBED = 90;
  private static final String TUNABLES = "GLIBC_TUNABLES=glibc.malloc.perturb=" + PERTURBED
      + ":glibc.malloc.tcache_count=0";

  /** One end of a connection, with room for what comes. */
  private record End(Peer peer, List<LocalMemory> inboxes) {

    static End of(Peer peer, int messages, int size) {
      return new End(peer, IntStream.range(0, messages).mapToObj(i -> peer.receive(i, size)).toList());
    }

    /** Waits for all messages, which have to be the same. */
    void expect(byte[] message) {
      for (int i = 0; i < inboxes.size(); i++) {
        Completed done = peer.handler().completion(Opcode.RECEIVE);
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(done.byteLength()).isEqualTo(message.length);
        assertThat(done.id()).isEqualTo(i);
        assertThat(Arrays.mismatch(Peer.bytes(inboxes.get(i), 0, message.length), message))
            .as("first byte that differs").isEqualTo(-1);
      }
    }

    void awaitEndOfPeer() {
      assertThat(peer.awaitDisconnected().reason().kind()).isEqualTo(DisconnectReason.Kind.REMOTE_CLOSE);
    }
  }

  private static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static End connect(VerbsBed bed, KernelDevice device, int messages, int size) {
    End end = End.of(bed.client(), messages, size);
    Waiting.await(bed.connect(SocketAddress.inetSocketAddress(PORT, device.address()), end.peer(),
        ConnectionOptions.DEFAULT));
    end.peer().awaitEstablished();
    return end;
  }

  /** Gives each connection that comes room for messages. */
  private BlockingQueue<End> serve(VerbsBed bed, KernelDevice device, int connections, int messages, int size) {
    BlockingQueue<End> ends = new LinkedBlockingQueue<>();
    List<End> prepared = IntStream.range(0, connections).mapToObj(i -> End.of(bed.server(), messages, size)).toList();
    BlockingQueue<End> free = new LinkedBlockingQueue<>(prepared);
    VerbsListener listener = bed.listen(SocketAddress.inetSocketAddress(PORT, device.address()), request -> {
      End end = free.remove();
      bed.accept(request, end.peer(), ConnectionOptions.DEFAULT).onSuccess(up -> ends.add(end));
    });
    assertThat(listener.localAddress().port()).isEqualTo(PORT);
    return ends;
  }

  /** It sends first what it has never written to, and waits for as many messages. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("ucmatose serves several connections of ours")
  void ucmatoseServes(KernelDevice device) {
    for (int size : SIZES) {
      byte[] theirs = new byte[size];
      Arrays.fill(theirs, (byte) ~PERTURBED);
      try (GuestProgram server = GuestProgram.start("env", TUNABLES, "ucmatose", "-b", device.address(),
          "-p", "" + PORT, "-c", "" + CONNECTIONS, "-C", "" + MESSAGES, "-S", "" + size)
          .awaitListening(device.address(), PORT);
          VerbsBed bed = DeviceBed.open(device)) {
        List<End> ends = IntStream.range(0, CONNECTIONS).mapToObj(i -> connect(bed, device, MESSAGES, size)).toList();
        for (End end : ends) {
          end.expect(theirs);
        }
        for (End end : ends) {
          IntStream.range(0, MESSAGES).forEach(i -> end.peer().send(i, random(size, i)));
        }
        assertThat(server.await().expectSuccess().output()).contains("data transfers complete", "return status 0");
        ends.forEach(End::awaitEndOfPeer);
      }
    }
  }

  /** It sends what is in its memory, which is what it has received last. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("ucmatose makes several connections to us, and gives back what it was sent")
  void ucmatoseConnects(KernelDevice device) {
    for (int size : SIZES) {
      try (VerbsBed bed = DeviceBed.open(device)) {
        BlockingQueue<End> served = serve(bed, device, CONNECTIONS, MESSAGES, size);
        try (GuestProgram client = GuestProgram.start("ucmatose", "-s", device.address(), "-p", "" + PORT, "-c",
            "" + CONNECTIONS, "-C", "" + MESSAGES, "-S", "" + size)) {
          List<End> ends = IntStream.range(0, CONNECTIONS).mapToObj(i -> Waiting.next(served)).toList();
          for (int c = 0; c < CONNECTIONS; c++) {
            for (int i = 0; i < MESSAGES; i++) {
              ends.get(c).peer().send(i, random(size, seed(c, i)));
            }
          }
          for (int c = 0; c < CONNECTIONS; c++) {
            ends.get(c).expect(random(size, seed(c, MESSAGES - 1)));
          }
          ends.forEach(end -> Waiting.await(end.peer().close()));
          assertThat(client.await().expectSuccess().output()).contains("data transfers complete", "return status 0");
        }
      }
    }
  }

  private static long seed(int connection, int message) {
    return 100L * connection + message;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("rdma_server answers us")
  void rdmaServer(KernelDevice device) {
    try (GuestProgram server = GuestProgram.start("rdma_server", "-s", device.address(), "-p", "" + PORT)
        .awaitListening(device.address(), PORT);
        VerbsBed bed = DeviceBed.open(device)) {
      End end = connect(bed, device, 1, SHORT);
      end.peer().send(1, random(SHORT, 1));
      end.expect(new byte[SHORT]);
      assertThat(server.await().expectSuccess().output()).contains("rdma_server: end 0");
      end.awaitEndOfPeer();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("rdma_client calls us")
  void rdmaClient(KernelDevice device) {
    try (VerbsBed bed = DeviceBed.open(device)) {
      BlockingQueue<End> served = serve(bed, device, 1, 1, SHORT);
      try (GuestProgram client = GuestProgram.start("rdma_client", "-s", device.address(), "-p", "" + PORT)) {
        End end = Waiting.next(served);
        end.expect(new byte[SHORT]);
        end.peer().send(1, random(SHORT, 1));
        assertThat(client.await().expectSuccess().output()).contains("rdma_client: end 0");
        end.awaitEndOfPeer();
      }
    }
  }
}
