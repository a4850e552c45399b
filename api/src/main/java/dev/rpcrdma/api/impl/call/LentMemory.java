// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.Optional;

/** What a caller lends to its call: the data items of its arguments, and the targets of its placed results. */
final class LentMemory {

  private LentMemory() {}

  /**
   * Adds an owner to each of them, or to none.
   *
   * @throws IllegalStateException if one has no owner left
   */
  static void retain(RpcRequest<?> request, PayloadStream arguments) {
    arguments.retainItems();
    for (int i = 0; i < request.placedResults().size(); i++) {
      Optional<Payload> target = request.placedResults().get(i).target();
      if (target.isPresent() && !target.get().tryRetain()) {
        // The call is not made, and the others get back what they had.
        release(request, arguments, i);
        throw new IllegalStateException("The payload was released");
      }
    }
  }

  /** Takes an owner of each away; tells whether they were all still lent. */
  static boolean release(RpcRequest<?> request, PayloadStream arguments) {
    return release(request, arguments, request.placedResults().size());
  }

  private static boolean release(RpcRequest<?> request, PayloadStream arguments, int targets) {
    boolean all = arguments.releaseItemsLeft();
    for (int i = 0; i < targets; i++) {
      Optional<Payload> target = request.placedResults().get(i).target();
      all &= target.isEmpty() || target.get().tryRelease();
    }
    return all;
  }
}
