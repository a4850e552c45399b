// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsProviders;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server of ours against a peer that speaks verbs and builds its own messages. */
class HostilePeerTest {

  private static final String NULL_CALL = "00000001 00000001 00000010 00000000 00000000 00000000"
      + "00000000 00000001 00000000 00000002 20060099 00000001 00000000 00000000 00000000 00000000"
      + "00000000";

  private static final String ECHO = "20060099 00000001 00000001 00000000 00000000 00000000"
      + "00000000";

  private RpcBed bed;
  private VerbsBed raw;
  private RawClient client;

  @BeforeEach
  void open() {
    bed = new RpcBed("siw");
    Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
    client = new RawClient(raw, bed.address());
  }

  @AfterEach
  void othersAreServedAndNothingLeaks() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    raw.close();
    bed.close();
  }

  @Test
  @DisplayName("R-141 B-046 B-052: a server that was sent garbage still answers its sender")
  void garbage() {
    for (int i = 0; i < 300; i++) {
      client.send(i % 2 == 0 ? "00" : "00000001 00000001 00000010");
    }
    client.send(NULL_CALL);
    assertThat(client.answer()).isEqualTo("00000001 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000001 00000001 00000000 00000000 00000000 00000000");
  }

  @Test
  @DisplayName("R-147: a header that cannot be decoded is answered ERR_CHUNK")
  void badHeader() {
    client.send("00000007 00000001 00000010 00000000 00000009 00000000 00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000007 00000001 00000040 00000004 00000002");
  }

  @Test
  @DisplayName("R-149 R-157 R-302: a Read chunk of what is not eligible is answered GARBAGE_ARGS")
  void notEligible() {
    client.send("00000009 00000001 00000010 00000000 00000001 0000002c" + client.exposed(new byte[8])
        + "00000000 00000000 00000000 00000009 00000000 00000002" + ECHO + "00000008");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000009 00000001 00000000 00000000 00000000 00000004");
  }

  @Test
  @DisplayName("R-157: a Read chunk to a procedure that has nothing eligible is not executed")
  void notEligibleAndNotRead() {
    // NEVER takes no arguments, and does not look whether there are any.
    client.send("00000009 00000001 00000010 00000000 00000001 00000028" + client.exposed(new byte[8])
        + "00000000 00000000 00000000 00000009 00000000 00000002 20060099 00000001 00000004"
        + "00000000 00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000009 00000001 00000000 00000000 00000000 00000004");
    assertThat(bed.service.never).isEmpty();
  }

  /** Fails if {@code Dispatcher.eligibleArguments} says nothing of NULL. */
  @Test
  @DisplayName("R-157: NULL with a Read chunk is answered GARBAGE_ARGS")
  void nullWithChunk() {
    client.send("00000009 00000001 00000010 00000000 00000001 00000028" + client.exposed(new byte[8])
        + "00000000 00000000 00000000 00000009 00000000 00000002 20060099 00000001 00000000"
        + "00000000 00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000009 00000001 00000000 00000000 00000000 00000004");
  }

  /** Fails if {@code Responder.goOn} pulls before the listener is asked: the tag is one that ends the connection. */
  @Test
  @DisplayName("Nothing is pulled for a call of a program that nobody serves")
  void unknownProgram() {
    client.send("00000009 00000001 00000010 00000000 00000001 00000028 0badbad0 00000008 00000000 00000000"
        + "00000000 00000000 00000000 00000009 00000000 00000002 20060098 00000001 00000001"
        + "00000000 00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000009 00000001 00000000 00000000 00000000 00000001");
  }

  @Test
  @DisplayName("R-060: results with an item that the binding does not name are not sent")
  void strayResult() {
    client.send("00000009 00000001 00000010 00000000 00000000 00000001 00000001"
        + client.exposed(new byte[8]) + "00000000 00000000 00000009 00000000 00000002 20060099 00000001"
        + "00000007 00000000 00000000 00000000 00000000");
    assertThat(client.answer()).startsWith("00000009 00000001 00000040 00000000").endsWith(
        " 00000000 00000000 00000009 00000001 00000000 00000000 00000000 00000005");
  }

  @Test
  @DisplayName("B-059: a Position inside the chunk before it is answered ERR_CHUNK, and costs no memory")
  void positionInsideAChunk() {
    String item = client.exposed(new byte[1000]);
    client.send("00000009 00000001 00000010 00000000 00000001 0000002c" + item
        + "00000001 00000030" + item + "00000000 00000000 00000000"
        + "00000009 00000000 00000002 20060099 00000001 00000002 00000000 00000000 00000000 00000000"
        + "000003e8 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000004 00000002");
  }

  @Test
  @DisplayName("R-040 R-041: a peer that announced no sizes sends 1024 bytes, and is not sent more")
  void silentAboutSizes() {
    client.send("00000009 00000001 00000010 00000000 00000000 00000000 00000000 00000009 00000000"
        + "00000002" + ECHO + "000003b8" + "00".repeat(952));
    assertThat(client.answer()).startsWith("00000009 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000009 00000001 00000000 00000000 00000000 00000000 000003b8");
    client.receive();
    byte[] longCall = RawClient.bytes("00000009 00000000 00000002" + ECHO + "000007d0");
    client.send("00000009 00000001 00000010 00000001 00000001 00000000"
        + client.exposed(Arrays.copyOf(longCall, longCall.length + 2000)) + "00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo("00000009 00000001 00000040 00000004 00000002");
  }

  @Test
  @DisplayName("R-048: a message longer than the server's Receives costs its sender the connection")
  void oversized() {
    LocalMemory memory = client.peer.memory(RpcOptions.DEFAULT_INLINE_SIZE + 1);
    client.peer.post(pair -> pair.postSend(2, memory, 0, memory.length()));
    client.peer.awaitDisconnected();
  }

  @Test
  @DisplayName("A Read chunk under a tag that does not exist costs its sender the connection")
  void badTag() {
    client.send("00000009 00000001 00000010 00000001 00000001 00000000 0badbad0 00000100 00000000"
        + "00000000 00000000 00000000 00000000");
    client.peer.awaitDisconnected();
  }

  @Test
  void aPeerThatGoesInTheMiddleOfItsCall() {
    client.send("00000001 00000001 00000010 00000000 00000000 00000000 00000000 00000001 00000000"
        + "00000002 20060099 00000001 00000004 00000000 00000000 00000000 00000000");
    Waiting.await(client.peer.close());
  }
}
