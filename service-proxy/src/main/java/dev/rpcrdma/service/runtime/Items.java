// SPDX-License-Identifier: Apache-2.0
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
 * <p>What a transport placed is lent until the message is done with. A service gets arguments on
 * the same terms: copies of inline bytes, which are ours, are released when its future completes,
 * so that it need not tell the two apart. The results of a call are given away: what was placed is
 * retained for the application, which releases it, unless the message turns out to be bad.
 */
final class Items {

  private final boolean givenAway;
  private List<Payload> owned = List.of();

  private Items(boolean givenAway) {
    this.givenAway = givenAway;
  }

  /** The items of arguments. */
  static Items lent() {
    return new Items(false);
  }

  /** The items of results. */
  static Items givenAway() {
    return new Items(true);
  }

  /** The memory it was placed in, or a copy if it came inline. */
  Payload payload(DataItem item) {
    if (item instanceof Payload placed) {
      return givenAway ? own(placed.retain()) : placed;
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
      return own(placed.retain());
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
