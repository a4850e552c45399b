// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.call.PreparedCall;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Several connections to one server, each with credits, a session and an event loop of its own. A call takes the one
 * with the fewest calls, and stays there until its outcome.
 */
final class LanesChannel extends CompositeChannel implements Part {

  private static final int GOLDEN = 0x9e3779b9;

  private final List<RpcChannelImpl> lanes = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  LanesChannel(RpcClientImpl client, SocketAddress address, List<Context> loops, BooleanSupplier elsewhere) {
    super(client, address);
    for (Context loop : loops) {
      lanes.add(new RpcChannelImpl(client, loop, address, elsewhere));
    }
    synchronized (this) {
      lanes.forEach(this::adopt);
    }
  }

  @Override
  List<Part> parts() {
    return List.copyOf(lanes);
  }

  @Override
  <T> Future<T> choose(RpcRequest<T> request) {
    return lane(request.options().routingKey()).direct().call(request);
  }

  @Override
  public <T> Future<T> make(PreparedCall<T> call) {
    return lane(call.request().options().routingKey()).make(call);
  }

  private RpcChannelImpl lane(Optional<String> key) {
    if (key.isPresent()) {
      // Multiplied, since keys that count up differ in their last bits alone.
      return lanes.get((int) ((key.get().hashCode() * GOLDEN & 0xffff_ffffL) * lanes.size() >>> 32));
    }
    RpcChannelImpl least = least(false);
    return least == null ? least(true) : least;
  }

  /**
   * The lane with the fewest calls.
   *
   * @param anyway also one whose connection is not up, though it has been tried
   * @return null if there is none
   */
  private RpcChannelImpl least(boolean anyway) {
    int first = (turn.getAndIncrement() & Integer.MAX_VALUE) % lanes.size();
    RpcChannelImpl least = null;
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < lanes.size(); i++) {
      RpcChannelImpl lane = lanes.get((first + i) % lanes.size());
      if (!anyway && lane.isDown()) {
        lane.revive();
      } else if (lane.pending() < fewest) {
        fewest = lane.pending();
        least = lane;
      }
    }
    return least;
  }

  @Override
  public Future<RpcConnection> connect() {
    Promise<RpcConnection> promise = CallerContext.promise(context());
    return LoopCalls.ask(loop(), promise.future(), () -> {
      List<Future<RpcConnection>> each = lanes.stream().map(RpcChannel::connect).toList();
      Future.join(each).onComplete(all ->
          each.stream().filter(Future::succeeded).findFirst().orElse(each.get(0)).onComplete(promise));
    });
  }

  @Override
  boolean isFull() {
    return lanes.stream().allMatch(RpcChannel::writeQueueFull);
  }

  @Override
  public int pending() {
    return lanes.stream().mapToInt(Part::pending).sum();
  }

  @Override
  public boolean isDown() {
    return lanes.stream().allMatch(Part::isDown);
  }

  @Override
  public void revive() {
    lanes.forEach(Part::revive);
  }
}
