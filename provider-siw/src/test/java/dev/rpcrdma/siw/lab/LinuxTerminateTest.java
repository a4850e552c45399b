// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabCommand;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How errors reach the other side: Linux's Terminates ours, and ours Linux. The peer is Debian's
 * rping as a server. It takes messages of 16 bytes: the address, tag and size of memory that it reads
 * first, and of memory that it writes next.
 */
@WithLab
@DisplayName("Terminates between siw and Linux")
final class LinuxTerminateTest {

  private static final int PORT = 7174;
  private static final int MESSAGE = 16;
  private static final int NO_TAG = 0x00dead00;

  @TempDir
  private Path directory;

  /** What our side does wrong, and what Linux calls it. */
  static Stream<Arguments> ourErrors() {
    return Stream.of(
        ours("a message longer than its Receive", "no buffer",
            (pair, memory) -> pair.postSend(1, memory, 0, MESSAGE + 1)),
        ours("a Write to an unknown tag", "invalid tag",
            (pair, memory) -> pair.postWrite(1, memory, 0, 32, NO_TAG, 0)),
        ours("a Read of an unknown tag", "read invalid tag",
            (pair, memory) -> pair.postRead(1, memory, 0, 32, NO_TAG, 0)),
        ours("a Send that invalidates an unknown tag", "cannot invalidate tag",
            (pair, memory) -> pair.postSendWithInvalidate(1, memory, 0, MESSAGE, NO_TAG)));
  }

  private static Arguments ours(String name, String detail,
      BiConsumer<QueuePair, LocalMemory> post) {
    return Arguments.of(name, detail, post);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("ourErrors")
  @DisplayName("Linux's Terminate is a REMOTE_ERROR that names the error")
  void fromLinux(String name, String detail, BiConsumer<QueuePair, LocalMemory> post, LabVm vm) {
    DisconnectReason reason = withRping(vm, client -> {
      LocalMemory memory = client.memory(64);
      client.post(pair -> post.accept(pair, memory));
    });
    assertThat(reason.detail()).contains(detail);
    assertThat(reason.kind()).isEqualTo(Kind.REMOTE_ERROR);
  }

  /**
   * What Linux does wrong, since our side tells it to, and what it logs of our Terminate. It takes
   * the layer for the type, and the type for the layer: what we send has the order of RFC 5040 §4.8.
   */
  static Stream<Arguments> itsErrors() {
    return Stream.of(
        its("a Read of an unknown tag", "layer 1, type 0, code 0",
            client -> advertise(client, 0, NO_TAG, 64)),
        its("a Read beyond the exposed range", "layer 1, type 0, code 1", client -> {
          Exposure source = expose(client, Access.REMOTE_READ);
          advertise(client, source.remoteOffset() + 1, source.steeringTag(), 64);
        }),
        its("a Read of memory exposed for Writes", "layer 1, type 0, code 2", client -> {
          Exposure source = expose(client, Access.REMOTE_WRITE);
          advertise(client, source.remoteOffset(), source.steeringTag(), 64);
        }),
        its("a Write to an unknown tag", "layer 1, type 1, code 0", client -> {
          afterRead(client);
          advertise(client, 0, NO_TAG, 64);
        }),
        its("a Write beyond the exposed range", "layer 1, type 1, code 1", client -> {
          afterRead(client);
          Exposure sink = expose(client, Access.REMOTE_WRITE);
          advertise(client, sink.remoteOffset() + 64, sink.steeringTag(), 64);
        }),
        its("a Send without a Receive", "layer 2, type 1, code 2", client -> {
          afterRead(client);
          Exposure sink = expose(client, Access.REMOTE_WRITE);
          advertise(client, sink.remoteOffset(), sink.steeringTag(), 64);
        }));
  }

  private static Arguments its(String name, String logged, Consumer<Peer> steps) {
    return Arguments.of(name, logged, steps);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("itsErrors")
  @DisplayName("Linux understands our Terminate")
  void fromUs(String name, String logged, Consumer<Peer> steps, LabVm vm) {
    vm.exec("dmesg -C").expectSuccess();
    DisconnectReason reason = withRping(vm, steps);
    assertThat(reason.kind()).isEqualTo(Kind.LOCAL_ERROR);
    assertThat(vm.kernelLog()).contains("siw: got TERMINATE. " + logged);
  }

  private DisconnectReason withRping(LabVm vm, Consumer<Peer> steps) {
    Path capture = directory.resolve("terminated.pcapng");
    DisconnectReason reason = withRping(vm, DeviceOptions.DEFAULT.withCapture(capture), steps);
    // The Sends carry no RPC, and tshark guesses that they might.
    Tshark.judge(capture, "--disable-protocol", "rpcordma");
    return reason;
  }

  private static DisconnectReason withRping(LabVm vm, DeviceOptions options,
      Consumer<Peer> steps) {
    vm.siw(SiwVariant.PLAIN);
    LabCommand rping = vm.start("timeout 20 rping -s -a " + LabVm.GUEST + " -p " + PORT);
    vm.awaitListener(PORT);
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), options)) {
      Peer client = bed.client();
      client.receive(1, MESSAGE);
      Waiting.await(bed.connect(
          SocketAddress.inetSocketAddress(vm.forward(PORT), VerbsBed.HOST), client,
          ConnectionOptions.DEFAULT));
      client.awaitEstablished();
      steps.accept(client);
      DisconnectReason reason = client.awaitDisconnected().reason();
      // Whichever of its threads hears of it first.
      assertThat(rping.await().output())
          .containsAnyOf("DISCONNECT EVENT", "cq completion failed");
      return reason;
    }
  }

  private static Exposure expose(Peer client, Access access) {
    return client.expose(client.memory(64), access);
  }

  /**
   * Lets the server read, and say so; that takes the only Receive. What it writes then is one zero:
   * as much as there is text.
   */
  private static void afterRead(Peer client) {
    Exposure source = expose(client, Access.REMOTE_READ);
    advertise(client, source.remoteOffset(), source.steeringTag(), 64);
    client.handler().completion(Opcode.RECEIVE);
  }

  private static void advertise(Peer client, long address, int tag, int size) {
    ByteBuffer message = ByteBuffer.allocate(MESSAGE);
    message.putLong(address).putInt(tag).putInt(size);
    client.send(9, message.array());
  }
}
