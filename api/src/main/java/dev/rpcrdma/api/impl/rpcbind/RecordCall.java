// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.base.ZonedAddress;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** One call over a connection of TCP of its own, which is closed whatever comes of it. */
final class RecordCall {

  /**
   * What has come back.
   *
   * @param message the reply
   * @param reached the address of the host that has answered; empty if it has none of the Internet
   */
  record Reply(byte[] message, String reached) {}

  private final SocketAddress address;
  private final RpcbindOptions options;
  private final RecordReader records;
  private final Promise<Reply> outcome;
  /** Whether the call may have got there. */
  private volatile boolean sent;

  private RecordCall(Vertx vertx, SocketAddress address, RpcbindOptions options) {
    this.address = address;
    this.options = options;
    this.records = new RecordReader(options.maxReply());
    this.outcome = Contexts.promise(vertx.getOrCreateContext());
  }

  /** Makes a call, whose outcome is known in time. */
  static Future<Reply> make(Vertx vertx, SocketAddress address, RpcbindOptions options, byte[] message) {
    return new RecordCall(vertx, address, options).run(vertx, message);
  }

  private Future<Reply> run(Vertx vertx, byte[] message) {
    int millis = (int) Math.min(Integer.MAX_VALUE, options.timeout().toMillis());
    NetClient client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(millis));
    long timer = vertx.setTimer(millis, late -> fail(new RpcTimeoutException(
        "No answer of the rpcbind at " + address + " within " + options.timeout(), sent)));
    // On one event loop, so that the handlers are in place before the socket's next event. Vert.x does not repeat the
    // end of a socket for a handler that is set later.
    Contexts.newEventLoop(vertx).runOnContext(go ->
        client.connect(ZonedAddress.of(address)).onComplete((socket, failure) -> {
          if (failure == null) {
            connected(socket, message);
          } else {
            fail(new RpcConnectException("No rpcbind at " + address + ": " + Causes.message(failure), failure));
          }
        }));
    return outcome.future().andThen(done -> {
      vertx.cancelTimer(timer);
      client.close();
    });
  }

  private void connected(NetSocket socket, byte[] message) {
    if (outcome.future().isComplete()) {
      socket.close();
      return;
    }
    String reached = socket.remoteAddress().isInetSocket() ? socket.remoteAddress().hostAddress() : "";
    socket.handler(bytes -> arrived(bytes, reached));
    socket.closeHandler(closed -> fail(new RpcConnectionLostException(
        "The rpcbind at " + address + " has ended the connection without an answer", true, false)));
    sent = true;
    socket.write(Buffer.buffer(RecordMark.framed(message)));
  }

  private void arrived(Buffer bytes, String reached) {
    try {
      List<byte[]> complete = records.read(ByteBuffer.wrap(bytes.getBytes()));
      if (!complete.isEmpty()) {
        outcome.tryComplete(new Reply(complete.get(0), reached));
      }
    } catch (RecordException e) {
      fail(new RpcDecodingException("What answers at " + address + " is no rpcbind: " + e.getMessage(), e));
    }
  }

  private void fail(RpcException why) {
    outcome.tryFail(why);
  }
}
