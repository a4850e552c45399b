// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;

/** An OPTIONAL header type on one connection: copies in and out, and what it throws. */
final class ServedHeaderType implements HeaderExtension {

  private static final Logger LOG = LoggerFactory.getLogger(ServedHeaderType.class);

  private final int number;
  private final HeaderType type;
  private final RpcConnection connection;
  private final Context context;
  private final IntSupplier room;

  /**
   * Creates it.
   *
   * @param context of the connection's event loop
   * @param room the longest answer that the peer's Receives take
   */
  ServedHeaderType(int number, HeaderType type, RpcConnection connection, Context context,
      IntSupplier room) {
    this.number = number;
    this.type = type;
    this.connection = connection;
    this.context = context;
    this.room = room;
  }

  @Override
  public int procedure() {
    return number;
  }

  @Override
  public byte[] received(ByteBuffer body) {
    byte[] copy = HeaderExchange.copy(body);
    try {
      return Contexts.on(Contexts.duplicate(context),
          () -> checked(type.received(connection, Buffer.buffer(copy)).getBytes()));
    } catch (IllegalArgumentException e) {
      LOG.debug("Header type " + Integer.toUnsignedString(number) + " refuses a message", e);
      throw e;
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: other calls of the connection have no part in it. The
      // cause does not cross, so this is the only place where it can be seen.
      LOG.warn("Header type " + Integer.toUnsignedString(number)
          + " failed to answer a message; its sender gets ERR_CHUNK", e);
      throw new IllegalArgumentException(e);
    }
  }

  private byte[] checked(byte[] answer) {
    if (answer.length > room.getAsInt()) {
      throw new IllegalStateException("The answer of " + answer.length + " bytes is longer than the "
          + room.getAsInt() + " that the peer's Receives take");
    }
    return answer;
  }
}
