// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.api.impl.call.CallOutcome;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.protocol.requester.ExtensionListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/** One message of an OPTIONAL header type, copied on the sender's thread, and its outcome. */
final class HeaderExchange implements ExtensionListener {

  private final int number;
  private final byte[] body;
  private final Promise<Buffer> answer;

  /**
   * Copies a message.
   *
   * @param fallback whose context gets the outcome if the sender has none
   * @throws IllegalArgumentException if it can be no such message
   */
  HeaderExchange(int number, Buffer body, Context fallback) {
    HeaderExtension.checkProcedure(number);
    if (body.length() < HeaderType.MIN_LENGTH) {
      throw new IllegalArgumentException("A body of " + body.length() + " bytes is shorter than "
          + HeaderType.MIN_LENGTH + "; a peer that does not know the type would not answer it");
    }
    this.number = number;
    this.body = body.getBytes();
    this.answer = CallerContext.promise(fallback);
  }

  static byte[] copy(ByteBuffer body) {
    byte[] copy = new byte[body.remaining()];
    body.get(copy);
    return copy;
  }

  int number() {
    return number;
  }

  byte[] body() {
    return body;
  }

  Future<Buffer> answer() {
    return answer.future();
  }

  /** It will not be sent. */
  void fail(Throwable cause) {
    answer.fail(cause);
  }

  @Override
  public void answered(ByteBuffer bytes) {
    answer.complete(Buffer.buffer(copy(bytes)));
  }

  @Override
  public void unsupported() {
    answer.fail(new RpcUnsupportedException("The peer does not know " + name()
        + ", as was found out by trying; it is not sent again over this connection"));
  }

  @Override
  public void failed(Outcome.Failed failure) {
    answer.fail(CallOutcome.failure(name(), failure, null));
  }

  private String name() {
    return "header type " + Integer.toUnsignedString(number);
  }
}
