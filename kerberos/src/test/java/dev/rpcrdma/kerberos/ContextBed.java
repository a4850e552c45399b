// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A server that makes contexts over RDMA and over TCP, on loopback, and verbs for peers that build their messages
 * themselves. The server ends with its Vert.x.
 */
final class ContextBed implements AutoCloseable {

  /** Bytes of the header of RPC-over-RDMA without chunks. */
  private static final int HEADER = 28;
  private static final SocketAddress ANY = SocketAddress.inetSocketAddress(0, "127.0.0.1");

  final VerbsBed verbs = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  /** Of RDMA. */
  final SocketAddress address;
  /** Of TCP. */
  final int port;

  /** The server does not listen yet. */
  ContextBed(RpcServer server) {
    Waiting.await(server.listen(ANY));
    address = SocketAddress.inetSocketAddress(server.actualPort(), ANY.host());
    port = Waiting.await(server.listenForContexts(ANY));
  }

  /** A call without chunks, and how many its client would make at once. */
  static byte[] message(byte[] call, int credits) {
    return ByteBuffer.allocate(HEADER + call.length).put(call, 0, Integer.BYTES).putInt(1).putInt(credits)
        .position(HEADER).put(call).array();
  }

  /** What is in a message without chunks. */
  static XdrReader content(byte[] message) {
    return new XdrReader(ByteBuffer.wrap(message, HEADER, message.length - HEADER).slice());
  }

  @Override
  public void close() {
    verbs.close();
  }
}
