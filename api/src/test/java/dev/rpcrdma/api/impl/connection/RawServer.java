// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** A server that speaks verbs, builds its own messages, and says nothing of who it is. */
public final class RawServer {

  private static final int MESSAGE_BYTES = 1024;

  public final Peer peer;
  public final SocketAddress address;
  private final List<LocalMemory> received;

  /** Listens for one client, which may send so many messages. */
  public RawServer(VerbsBed verbs, int messages) {
    this(verbs, messages, ConnectionOptions.DEFAULT);
  }

  /** The same, and says what these options do. */
  public RawServer(VerbsBed verbs, int messages, ConnectionOptions options) {
    peer = verbs.server();
    received = IntStream.range(0, messages).mapToObj(id -> peer.receive(id, MESSAGE_BYTES)).toList();
    address = verbs.listen(request -> verbs.accept(request, peer, options))
        .localAddress();
  }

  /** The client's next message, in words; messages come in the order they were sent in. */
  public String next() {
    Completed message = peer.handler().completion(WorkCompletion.Opcode.RECEIVE);
    return HexFormat.of().formatHex(Peer.bytes(received.get((int) message.id()), 0,
        message.byteLength())).replaceAll("(.{8})(?=.)", "$1 ");
  }

  public void send(String hex) {
    peer.send(1, RawClient.bytes(hex));
  }
}
