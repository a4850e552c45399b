package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsProviders;
import dev.rpcrdma.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.HexFormat;
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
  private Peer peer;
  private LocalMemory received;

  @BeforeEach
  void open() {
    bed = new RpcBed("siw");
    Await.success(bed.channel.call(EchoService.echo(new byte[10])));
    raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
    peer = raw.client();
    received = peer.receive(100, 1024);
    Waiting.await(raw.connect(bed.address(), peer, ConnectionOptions.DEFAULT));
    peer.awaitEstablished();
  }

  @AfterEach
  void othersAreServedAndNothingLeaks() {
    Await.success(bed.channel.call(EchoService.echo(new byte[10])));
    raw.close();
    bed.close();
  }

  private void send(String hex) {
    peer.send(1, HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
  }

  private String answer() {
    Completed completed = peer.handler().completion(WorkCompletion.Opcode.RECEIVE);
    assertThat(completed.invalidated()).as("the peer did not say that it copes with it").isFalse();
    byte[] bytes = new byte[completed.byteLength()];
    received.buffer().duplicate().get(0, bytes);
    return HexFormat.of().formatHex(bytes).replaceAll("(.{8})(?=.)", "$1 ");
  }

  @Test
  @DisplayName("R-141 B-046 B-052: a server that was sent garbage still answers its sender")
  void garbage() {
    for (int i = 0; i < 300; i++) {
      send(i % 2 == 0 ? "00" : "00000001 00000001 00000010");
    }
    send(NULL_CALL);
    assertThat(answer()).isEqualTo("00000001 00000001 00000040 00000000 00000000 00000000 00000000"
        + " 00000001 00000001 00000000 00000000 00000000 00000000");
  }

  @Test
  @DisplayName("R-147: a header that cannot be decoded is answered ERR_CHUNK")
  void badHeader() {
    send("00000007 00000001 00000010 00000000 00000009 00000000 00000000 00000000 00000000");
    assertThat(answer()).isEqualTo("00000007 00000001 00000040 00000004 00000002");
  }

  @Test
  @DisplayName("R-149 R-157 R-302: a Read chunk of what is not eligible is answered GARBAGE_ARGS")
  void notEligible() {
    send("00000009 00000001 00000010 00000000 00000001 0000002c" + exposed(new byte[8])
        + "00000000 00000000 00000000 00000009 00000000 00000002" + ECHO + "00000008");
    assertThat(answer()).isEqualTo("00000009 00000001 00000040 00000000 00000000 00000000 00000000"
        + " 00000009 00000001 00000000 00000000 00000000 00000004");
  }

  @Test
  @DisplayName("R-040 R-041: a peer that announced no sizes sends 1024 bytes, and is not sent more")
  void silentAboutSizes() {
    send("00000009 00000001 00000010 00000000 00000000 00000000 00000000 00000009 00000000 00000002"
        + ECHO + "000003b8" + "00".repeat(952));
    assertThat(answer()).startsWith("00000009 00000001 00000040 00000000 00000000 00000000 00000000"
        + " 00000009 00000001 00000000 00000000 00000000 00000000 000003b8");
    received = peer.receive(101, 1024);
    byte[] longCall = HexFormat.of().parseHex(("00000009 00000000 00000002" + ECHO + "000007d0")
        .replaceAll("\\s", ""));
    send("00000009 00000001 00000010 00000001 00000001 00000000"
        + exposed(Arrays.copyOf(longCall, longCall.length + 2000)) + "00000000 00000000 00000000");
    assertThat(answer()).isEqualTo("00000009 00000001 00000040 00000004 00000002");
  }

  /** A segment of the peer's memory. */
  private String exposed(byte[] bytes) {
    Exposure exposure = peer.expose(peer.memory(bytes), Access.REMOTE_READ);
    return "%08x%08x%016x".formatted(exposure.steeringTag(), bytes.length,
        exposure.remoteOffset());
  }

  @Test
  @DisplayName("R-048: a message longer than the server's Receives costs its sender the connection")
  void oversized() {
    LocalMemory memory = peer.memory(RpcOptions.DEFAULT_INLINE_SIZE + 1);
    peer.post(pair -> pair.postSend(2, memory, 0, memory.length()));
    peer.awaitDisconnected();
  }

  @Test
  @DisplayName("A Read chunk under a tag that does not exist costs its sender the connection")
  void badTag() {
    send("00000009 00000001 00000010 00000001 00000001 00000000 0badbad0 00000100 00000000 00000000"
        + "00000000 00000000 00000000");
    peer.awaitDisconnected();
  }

  @Test
  void aPeerThatGoesInTheMiddleOfItsCall() {
    send("00000001 00000001 00000010 00000000 00000000 00000000 00000000 00000001 00000000 00000002"
        + "20060099 00000001 00000004 00000000 00000000 00000000 00000000");
    Waiting.await(peer.queuePair().close());
  }
}
