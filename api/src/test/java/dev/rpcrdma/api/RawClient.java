// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;

/** A client that speaks verbs, builds its own messages, and says nothing of who it is. */
final class RawClient {

  final Peer peer;
  private LocalMemory received;

  /** Connects; one answer can come. */
  RawClient(VerbsBed verbs, SocketAddress server) {
    this(verbs, server, ConnectionOptions.DEFAULT);
  }

  /** The same, and says what these options do. */
  RawClient(VerbsBed verbs, SocketAddress server, ConnectionOptions options) {
    peer = verbs.client();
    receive();
    Waiting.await(verbs.connect(server, peer, options));
    peer.awaitEstablished();
  }

  /** Reads what the server has exposed. */
  byte[] read(int handle, int length, long offset) {
    LocalMemory sink = peer.memory(length);
    peer.post(pair -> pair.postRead(7, sink, 0, length, handle, offset));
    peer.handler().completion(WorkCompletion.Opcode.READ);
    return Peer.bytes(sink, 0, length);
  }

  /** Lets another answer come. */
  void receive() {
    received = peer.receive(100, 1024);
  }

  void send(String hex) {
    peer.send(1, bytes(hex));
  }

  /** The answer, in words. */
  String answer() {
    Completed completed = peer.handler().completion(WorkCompletion.Opcode.RECEIVE);
    assertThat(completed.invalidated()).as("the peer did not say that it copes with it").isFalse();
    return HexFormat.of().formatHex(Peer.bytes(received, 0, completed.byteLength()))
        .replaceAll("(.{8})(?=.)", "$1 ");
  }

  /** A segment of this peer's memory that the server may read. */
  String exposed(byte[] bytes) {
    return segment(peer.expose(peer.memory(bytes), Access.REMOTE_READ));
  }

  /** An exposure as a segment of a chunk. */
  static String segment(Exposure exposure) {
    return "%08x%08x%016x".formatted(exposure.steeringTag(), exposure.length(),
        exposure.remoteOffset());
  }

  /** Bytes from hexadecimal digits; spaces are ignored. */
  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }
}
