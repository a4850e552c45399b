// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.connect.FabricRules;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;

/** The side that connects: the peer's name, address and route are resolved first. */
public final class Connecting extends Startup {

  private final SocketAddress remote;

  /**
   * Creates what {@link #connect} begins.
   *
   * @param device of this side
   * @param context whose loop owns the queue pair
   * @param remote where to
   * @param domain of its memory
   * @param options checked
   * @param setup of the consumer
   */
  public Connecting(PairDevice device, Context context, SocketAddress remote, SharedDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    super(device, context, domain, options, setup);
    this.remote = remote;
  }

  /**
   * Connects.
   *
   * @return as of the SPI
   */
  public Future<QueuePair> connect() {
    begin(() -> VertxParts.resolve(device.vertx(), remote).onComplete(resolved ->
        Contexts.eventLoop(context).execute(() -> {
          if (resolved.succeeded()) {
            resolveAddress((InetSocketAddress) resolved.result());
          } else {
            fail(new VerbsException(Kind.UNREACHABLE, "Unknown host " + remote.host(), resolved.cause()));
          }
        })));
    return future();
  }

  private void resolveAddress(InetSocketAddress peer) {
    step(device.workers(), () -> {
      try {
        id = CmId.create(device.core(), device.events(), this::event);
      } catch (NativeException e) {
        throw new VerbsException(Kind.RESOURCES, "No more connections: " + e.getMessage(), e);
      }
      try {
        id.resolveAddress(peer, millis());
        return null;
      } catch (NativeException e) {
        throw FabricRules.failure(e.function(), e.errno(), peer());
      }
    }, () -> { });
  }

  private int millis() {
    return (int) Math.min(Integer.MAX_VALUE, options.timeout().toMillis());
  }

  @Override
  boolean proceed(CmEvent event) {
    switch (event.type()) {
      case Numbers.ADDR_RESOLVED -> resolveRoute();
      case Numbers.ROUTE_RESOLVED -> makePair();
      default -> {
        return super.proceed(event);
      }
    }
    return true;
  }

  private void resolveRoute() {
    if (id.device() != device.device().context()) {
      fail(new VerbsException(Kind.UNREACHABLE, "The way to " + peer() + " leads through another RDMA device than "
          + device.device().name() + ": choose that one by the ibverbs setting 'device'"));
      return;
    }
    step(device.workers(), () -> {
      try {
        id.resolveRoute(millis());
        return null;
      } catch (NativeException e) {
        throw FabricRules.failure(e.function(), e.errno(), peer());
      }
    }, () -> { });
  }

  @Override
  String peer() {
    return remote.toString();
  }

  @Override
  void ask(CmId.Parameters parameters) throws NativeException {
    id.connect(parameters);
  }

  /** Who accepts has heard of this side before. */
  @Override
  int nudgeMillis() {
    return device.device().softwareIwarp() ? device.options().nudgeMillis() : 0;
  }

  @Override
  VerbsException notAsked(NativeException why) {
    return FabricRules.failure(why.function(), why.errno(), peer());
  }

  @Override
  Settled settled(CmEvent established) {
    return new Settled(Buffer.buffer(established.privateData()),
        device.device().rules().outboundReads(wantedReads(), established));
  }
}
