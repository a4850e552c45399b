package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sends, Receives, Writes and Reads that succeed. */
public interface MessageContract extends ContractBase {

  @Test
  @DisplayName("Receives posted in setup are found by the peer's first Send")
  default void receivesPostedInSetupAreFound() {
    try (VerbsBed bed = open()) {
      LocalMemory[] inbox = new LocalMemory[1];
      VerbsBed.Pair pair = bed.connect(ConnectionOptions.DEFAULT, ConnectionOptions.DEFAULT,
          client -> {}, server -> {
            inbox[0] = server.memory(64);
            server.queuePair().postReceive(7, inbox[0], 0, 64);
          });
      pair.client().send(1, "hello".getBytes(StandardCharsets.US_ASCII));
      Completed received = pair.server().handler().completion(Opcode.RECEIVE);
      assertThat(received.status()).isEqualTo(Status.SUCCESS);
      assertThat(received.id()).isEqualTo(7);
      assertThat(received.byteLength()).isEqualTo(5);
      assertThat(Peer.bytes(inbox[0], 0, 5)).asString().isEqualTo("hello");
    }
  }

  @Test
  @DisplayName("The accepting side may send first")
  default void acceptingSideMaySendFirst() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect(ConnectionOptions.DEFAULT, ConnectionOptions.DEFAULT,
          client -> client.queuePair().postReceive(7, client.memory(64), 0, 64), server -> {});
      pair.server().send(1, new byte[] {1, 2, 3});
      assertThat(pair.client().handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(3);
    }
  }

  @Test
  @DisplayName("A Send arrives after the Writes posted before it")
  default void sendArrivesAfterWrites() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect(ConnectionOptions.DEFAULT, ConnectionOptions.DEFAULT,
          client -> {},
          server -> server.queuePair().postReceive(1, server.memory(8), 0, 8));
      byte[] data = new byte[1 << 20];
      new Random(1).nextBytes(data);
      LocalMemory target = pair.server().memory(data.length);
      Exposure exposure = pair.server().expose(target, Access.REMOTE_WRITE);
      LocalMemory source = pair.client().memory(data);
      pair.client().run(client -> {
        client.postWrite(1, source, 0, data.length, exposure.steeringTag(),
            exposure.remoteOffset());
        client.postSend(2, source, 0, 8);
        client.flush();
      });
      pair.server().handler().completion(Opcode.RECEIVE);
      assertThat(Peer.bytes(target, 0, data.length)).isEqualTo(data);
      assertThat(pair.client().handler().completion(Opcode.WRITE).status())
          .isEqualTo(Status.SUCCESS);
    }
  }

  @Test
  @DisplayName("A Read brings the peer's bytes")
  default void readBringsBytes() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      byte[] data = new byte[300_000];
      new Random(2).nextBytes(data);
      LocalMemory source = pair.server().memory(data);
      Exposure exposure = pair.server().expose(source, Access.REMOTE_READ);
      LocalMemory sink = pair.client().memory(data.length);
      pair.client().run(client -> {
        client.postRead(9, sink, 0, data.length, exposure.steeringTag(), exposure.remoteOffset());
        client.flush();
      });
      Completed read = pair.client().handler().completion(Opcode.READ);
      assertThat(read.status()).isEqualTo(Status.SUCCESS);
      assertThat(Peer.bytes(sink, 0, data.length)).isEqualTo(data);
      pair.server().run(server -> server.revoke(exposure));
      pair.server().handler().next(RecordingHandler.Revoked.class);
      LeakCheck.assertNoExposures(pair.server().queuePair());
    }
  }
}
