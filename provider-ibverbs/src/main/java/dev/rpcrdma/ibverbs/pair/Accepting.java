// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import io.vertx.core.Context;
import io.vertx.core.Future;

/** The side that accepts. */
final class Accepting extends Startup {

  private final Request request;

  Accepting(PairDevice device, Context context, Request request, SharedDomain domain, ConnectionOptions options,
      QueuePairSetup setup) {
    super(device, context, domain, options, setup);
    this.request = request;
    this.id = request.id();
  }

  Future<QueuePair> accept() {
    begin(this::makePair);
    return future();
  }

  @Override
  String peer() {
    return request.remoteAddress().toString();
  }

  @Override
  void beforeSetup(IbverbsQueuePair made) {
    made.agreed(request.privateData(), askedReads());
  }

  @Override
  int askedReads() {
    return device.device().rules().outboundReads(wantedReads(), request.asked());
  }

  @Override
  void ask(CmId.Parameters parameters) throws NativeException {
    id.accept(parameters);
  }

  @Override
  VerbsException notAsked(NativeException why) {
    return new VerbsException(Kind.DISCONNECTED, "The peer at " + peer()
        + " has gone before its connection was answered: " + why.getMessage(), why);
  }

  @Override
  Settled settled(CmEvent established) {
    return new Settled(request.privateData(), askedReads());
  }
}
