// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;

/** Bodies of messages. What takes an event loop too long is done by a worker. */
final class Bodies {

  /** What is longer is for workers. */
  static final int LARGE = 1024 * 1024;

  private Bodies() {}

  /** Whether a worker has to look at the body first: looking at it copies it. */
  static boolean isLarge(MultiMap headers) {
    return headers.contains(Names.LARGE);
  }

  /** Says so, if it is. */
  static void sayLarge(PayloadStream stream, DeliveryOptions options) {
    if (stream.length() > LARGE) {
      options.addHeader(Names.LARGE, Long.toString(stream.length()));
    }
  }

  /**
   * The bytes of a message.
   *
   * @throws XdrException if it has none
   */
  static byte[] of(Message<?> message) {
    Object body;
    try {
      body = message.body();
    } catch (Throwable e) {
      throw new XdrException("The message's body cannot be read: " + Causes.text(e));
    }
    if (body instanceof Buffer buffer) {
      return buffer.getBytes();
    }
    throw new XdrException("The message's body is no Buffer but "
        + (body == null ? "missing" : body.getClass().getName()));
  }

  /**
   * All of a message.
   *
   * @param context where the future completes; a worker of it writes what is large
   * @return fails if an item was released, or all of it is more than a buffer holds
   */
  static Future<Buffer> write(PayloadStream stream, Context context) {
    if (stream.length() > LARGE) {
      return context.executeBlocking(() -> write(stream), false);
    }
    try {
      return Future.succeededFuture(write(stream));
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  private static Buffer write(PayloadStream stream) {
    return Buffer.buffer(stream.toByteArray());
  }
}
