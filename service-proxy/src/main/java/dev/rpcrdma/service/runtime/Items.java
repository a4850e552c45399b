package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.xdr.DataItem;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the data items of one message into what the application gets, and keeps their owners right.
 *
 * <p>Arguments are lent: the transport releases what it placed when the call is answered. Copies of
 * inline bytes are released when the service's future completes, so that a service may use both
 * alike. Results are handed over: what was placed has an owner, which goes on to the application, or
 * ends here if the application gets a copy or nothing at all.
 */
final class Items {

  private final boolean handedOver;
  private List<Payload> owned = List.of();

  private Items(boolean handedOver) {
    this.handedOver = handedOver;
  }

  /** The items of arguments. */
  static Items lent() {
    return new Items(false);
  }

  /** The items of results. */
  static Items handedOver() {
    return new Items(true);
  }

  /** A copy for the application. */
  byte[] bytes(DataItem item) {
    byte[] bytes = item.toByteArray();
    if (handedOver) {
      item.release();
    }
    return bytes;
  }

  /** The memory it was placed in, or a copy if it came inline. */
  Payload payload(DataItem item) {
    if (item instanceof Payload placed) {
      return handedOver ? own(placed) : placed;
    }
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("A payload can only be received on a Vert.x context");
    }
    Payload copy = own(Payload.allocate(context.owner(), item.length()));
    item.copyTo(copy.bytes());
    return copy;
  }

  /** The part of the application's memory that was filled, or is now if the item came inline. */
  Payload into(DataItem item, Payload target) {
    if (item instanceof Payload placed) {
      return own(placed);
    }
    Payload filled = own(target.slice(0, item.length()));
    item.copyTo(filled.bytes());
    return filled;
  }

  /** Ends what is owned: the service is done, or decoding has failed. */
  void release() {
    owned.forEach(Payload::release);
    owned = List.of();
  }

  private Payload own(Payload payload) {
    if (owned.isEmpty()) {
      owned = new ArrayList<>(1);
    }
    owned.add(payload);
    return payload;
  }
}
