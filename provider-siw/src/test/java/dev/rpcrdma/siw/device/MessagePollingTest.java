// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.BusyPoller;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop stays awake while something is on its way for sure, and not otherwise. */
@DisplayName("siw: event loops while more is on its way")
@Timeout(20)
final class MessagePollingTest {

  private static final int LONG = 1_000_000;
  private static final byte[] FIRST_HALF = Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, (byte) 1);
  private static final byte[] SECOND_HALF = Fpdus.untagged(0x41, 0x43, 0, 0, 1, 1, (byte) 2);
  private static final byte[] WHOLE = Fpdus.send(1, (byte) 1, (byte) 2);

  /** Something that is done to a server by a raw peer. */
  private interface Exchange {

    void with(RawPeer peer, Peer server) throws IOException;
  }

  private static void connected(int pollMicros, Exchange exchange) throws IOException {
    VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("messagePollMicros", pollMicros)));
    try {
      Peer server = bed.server();
      server.receive(1, 64);
      server.receive(2, 64);
      try (RawPeer peer = RawPeer.connected(bed.listen(request ->
          bed.accept(request, server, ConnectionOptions.DEFAULT)).localAddress())) {
        server.awaitEstablished();
        exchange.with(peer, server);
      }
      server.awaitDisconnected();
    } finally {
      bed.close();
    }
  }

  private static boolean isAwake(Peer server) {
    return server.call(queuePair -> BusyPoller.isPolling());
  }

  /** How often it has stayed awake, so that it does not matter how long this thread takes to look. */
  private static long timesAwake(Peer server) {
    return server.call(queuePair -> BusyPoller.begun());
  }

  private static void awaitAwake(Peer server) {
    while (timesAwake(server) == 0) {
      Thread.onSpinWait();
    }
  }

  private static void awaitMessage(Peer server) {
    assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(2);
  }

  @Test
  @DisplayName("behind a segment that is not the last")
  void segment() throws IOException {
    connected(LONG, (peer, server) -> {
      peer.write(FIRST_HALF);
      awaitAwake(server);
      peer.write(SECOND_HALF);
      awaitMessage(server);
      assertThat(isAwake(server)).as("when it is here").isFalse();
    });
  }

  @Test
  @DisplayName("in the middle of an FPDU")
  void fpdu() throws IOException {
    connected(LONG, (peer, server) -> {
      peer.write(Arrays.copyOf(WHOLE, 9));
      awaitAwake(server);
      peer.write(Arrays.copyOfRange(WHOLE, 9, WHOLE.length));
      awaitMessage(server);
    });
  }

  @Test
  @DisplayName("between a Read and its Response")
  void read() throws IOException {
    connected(LONG, (peer, server) -> {
      LocalMemory sink = server.memory(1);
      // The peer's first FPDU lets this side send.
      peer.write(WHOLE);
      awaitMessage(server);
      server.post(queuePair -> queuePair.postRead(3, sink, 0, 1, 7, 0));
      int tag = peer.readUlpdu().getInt(DdpHeader.UNTAGGED_BYTES);
      awaitAwake(server);
      peer.write(Fpdus.tagged(0xC1, 0x42, tag, 0, (byte) 5));
      assertThat(server.handler().completion(Opcode.READ).id()).isEqualTo(3);
      assertThat(isAwake(server)).as("when it is here").isFalse();
    });
  }

  @Test
  @DisplayName("not between messages")
  void whole() throws IOException {
    connected(LONG, (peer, server) -> {
      peer.write(WHOLE);
      awaitMessage(server);
      assertThat(timesAwake(server)).isZero();
    });
  }

  @Test
  @DisplayName("not if it is not wanted")
  void off() throws IOException {
    connected(0, (peer, server) -> {
      peer.write(Fpdus.concat(WHOLE, Fpdus.untagged(0x01, 0x43, 0, 0, 2, 0, (byte) 1)));
      awaitMessage(server);
      assertThat(timesAwake(server)).isZero();
    });
  }
}
