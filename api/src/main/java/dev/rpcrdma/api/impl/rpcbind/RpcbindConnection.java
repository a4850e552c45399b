// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;

/** One client of an rpcbind. Confined to its socket's event loop. */
final class RpcbindConnection {

  /** Three texts of the longest length, two credentials, and room. */
  static final int MAX_CALL = 4096;
  private static final int MAX_WAITING_BYTES = 64 << 10;
  private static final Logger LOG = LoggerFactory.getLogger(RpcbindConnection.class);

  private final Vertx vertx;
  private final NetSocket socket;
  private final long idleMillis;
  private final UnaryOperator<byte[]> answers;
  private final RecordReader records = new RecordReader(MAX_CALL);
  /** What has arrived at once and is not answered. */
  private final Deque<byte[]> calls = new ArrayDeque<>();
  private long timer;

  RpcbindConnection(Vertx vertx, NetSocket socket, Duration idle, UnaryOperator<byte[]> answers) {
    this.vertx = vertx;
    this.socket = socket;
    this.idleMillis = idle.toMillis();
    this.answers = answers;
  }

  void serve() {
    patience();
    socket.setWriteQueueMaxSize(MAX_WAITING_BYTES);
    socket.handler(this::arrived);
    socket.endHandler(end -> vertx.cancelTimer(timer));
    socket.exceptionHandler(e -> socket.close());
  }

  /** Begins anew with each call that is complete, and not with each byte. */
  private void patience() {
    vertx.cancelTimer(timer);
    timer = vertx.setTimer(idleMillis, late -> socket.close());
  }

  private void arrived(Buffer bytes) {
    try {
      calls.addAll(records.read(ByteBuffer.wrap(bytes.getBytes())));
      answer();
    } catch (RecordException | XdrException e) {
      // Not even the head of a call: there is nobody to answer.
      LOG.debug("A client of rpcbind is disconnected: " + Causes.message(e));
      calls.clear();
      socket.close();
    }
  }

  /** Who does not read its answers is not read from, and no more are made for it. */
  private void answer() {
    while (!calls.isEmpty() && !socket.writeQueueFull()) {
      patience();
      socket.write(Buffer.buffer(RecordMark.framed(answers.apply(calls.remove()))));
    }
    if (!calls.isEmpty()) {
      socket.pause();
      socket.drainHandler(drained -> drained());
    }
  }

  private void drained() {
    arrived(Buffer.buffer());
    if (calls.isEmpty()) {
      socket.resume();
    }
  }
}
