// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;

/** The procedures of a service whose replies may take room. Thread-safe. */
public final class ReplyEstimates {

  /** Never changed once it is made. */
  private final IntObjectMap<ReplyEstimate> byProcedure = new IntObjectHashMap<>(2);

  private ReplyEstimates() {}

  /**
   * Expects what the binding says.
   *
   * @param binding of the service
   * @return with nothing seen
   */
  public static ReplyEstimates of(UpperLayerBinding binding) {
    ReplyEstimates estimates = new ReplyEstimates();
    binding.procedures().forEach((number, procedure) -> {
      ReplyBound bound = procedure.replyBound();
      if (!bound.predictable() || bound.bytes() >= ReplyEstimate.LEAST || procedure.eligibleResults() > 0) {
        boolean known = bound.predictable() && procedure.eligibleResults() == 0;
        estimates.byProcedure.put(number,
            new ReplyEstimate(known ? Math.min(bound.bytes(), ReplyEstimate.FIRST) : ReplyEstimate.FIRST));
      }
    });
    return estimates;
  }

  /** That of one procedure; null if its replies are always short. */
  public ReplyEstimate of(int procedure) {
    return byProcedure.get(procedure);
  }
}
