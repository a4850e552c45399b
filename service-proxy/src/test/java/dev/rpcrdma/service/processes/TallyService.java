// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import io.vertx.core.Future;

/** Writes down what it executes. */
final class TallyService implements Tally {

  private final Steps steps;
  private final Journal journal;

  TallyService(Steps steps, Journal journal) {
    this.steps = steps;
    this.journal = journal;
  }

  @Override
  public Future<Long> add(long number) {
    return counted(number).map(number);
  }

  @Override
  public Future<Long> tell(long number) {
    RpcCaller peer = RpcCall.current().peer();
    // A caller that has gone elsewhere cannot be told; the call has been executed all the same.
    return counted(number).compose(done -> peer.proxy(TallyEvents.class).told(number).otherwiseEmpty()).map(number);
  }

  private Future<Void> counted(long number) {
    return steps.at(Step.BEFORE_EFFECT).compose(go -> {
      journal.add(Long.toString(number));
      return steps.at(Step.AFTER_EFFECT);
    });
  }

  @Override
  public Future<Long> addHere(long number) {
    journal.add(Long.toString(number));
    return Future.succeededFuture(number);
  }

  @Override
  public Future<Long> look(long number) {
    return Future.succeededFuture(number);
  }
}
