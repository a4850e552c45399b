package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.xdr.DataItem;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * The payloads of one message that have an owner on this side.
 *
 * <p>Ownership: items that a transport placed belong to it; it releases them when the service's future
 * completes, or when the results are decoded. Copies of inline bytes are ours. On the responder they
 * live as long as the placed ones, so that a service cannot tell the two apart. On the requester both
 * are given to the application, for which the placed ones get an owner more.
 */
final class PayloadCopies {

  private final boolean givenAway;
  private List<Payload> owned = List.of();

  private PayloadCopies(boolean givenAway) {
    this.givenAway = givenAway;
  }

  /** For arguments: lent to the service. */
  static PayloadCopies lent() {
    return new PayloadCopies(false);
  }

  /** For results: given to the application, unless decoding fails. */
  static PayloadCopies givenAway() {
    return new PayloadCopies(true);
  }

  Payload copyOf(DataItem item) {
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("A payload can only be received on a Vert.x context");
    }
    Payload copy = Payload.allocate(context.owner(), item.length());
    item.copyTo(copy.bytes());
    return own(copy);
  }

  Payload share(Payload placed) {
    return givenAway ? own(placed.retain()) : placed;
  }

  void release() {
    owned.forEach(Payload::release);
    owned = List.of();
  }

  /** Counts one owner's share as this message's. */
  Payload own(Payload payload) {
    if (owned.isEmpty()) {
      owned = new ArrayList<>(1);
    }
    owned.add(payload);
    return payload;
  }
}
