// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.call.ClientCall;
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
final class LanesChannel extends CompositeChannel implements ServerChannel {

  private static final int GOLDEN = 0x9e3779b9;
  private static final int UP = 2;

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
  List<ServerChannel> parts() {
    return List.copyOf(lanes);
  }

  @Override
  <T> Future<T> choose(RpcRequest<T> request) {
    return lane(request.options().routingKey()).direct().call(request);
  }

  @Override
  public <T> Future<T> make(ClientCall<T> call) {
    return lane(call.request().options().routingKey()).make(call);
  }

  private RpcChannelImpl lane(Optional<String> key) {
    return key.isPresent() ? laneOf(key.get()) : leastBusy();
  }

  /**
   * Chooses the lane of a key, also while its connection is made again, so that calls keep their order. A lane whose
   * connection cannot be made is passed over: a server may take fewer connections than there are lanes.
   */
  private RpcChannelImpl laneOf(String key) {
    // Multiplied, since keys that count up differ in their last bits alone.
    int own = (int) ((key.hashCode() * GOLDEN & 0xffff_ffffL) * lanes.size() >>> 32);
    for (int i = 0; i < lanes.size(); i++) {
      RpcChannelImpl lane = lanes.get((own + i) % lanes.size());
      if (!lane.hasFailed()) {
        return lane;
      }
      lane.revive();
    }
    return lanes.get(own);
  }

  /**
   * Chooses the lane with the fewest calls among those that are up. If none is, it is one whose connection may come, or
   * else any. The others are brought up meanwhile, without a call that would wait for them.
   */
  private RpcChannelImpl leastBusy() {
    int first = (turn.getAndIncrement() & Integer.MAX_VALUE) % lanes.size();
    RpcChannelImpl best = null;
    int rank = 0;
    for (int i = 0; i < lanes.size(); i++) {
      RpcChannelImpl lane = lanes.get((first + i) % lanes.size());
      int next = rank(lane);
      if (next == 0) {
        lane.revive();
      }
      if (best == null || next > rank || next == rank && lane.pending() < best.pending()) {
        best = lane;
        rank = next;
      }
    }
    if (rank == UP) {
      lanes.forEach(RpcChannelImpl::warmUp);
    }
    return best;
  }

  /** Returns how good a lane is for a call: {@link #UP}, 1 if its connection may come, 0 if that has failed. */
  private static int rank(RpcChannelImpl lane) {
    return lane.isUp() ? UP : lane.isDown() ? 0 : 1;
  }

  @Override
  public Future<RpcConnection> connect() {
    Promise<RpcConnection> promise = CallerContext.promise(context());
    return LoopCalls.ask(loop(), promise.future(), () -> {
      List<Future<RpcConnection>> each = lanes.stream().map(RpcChannel::connect).toList();
      each.forEach(lane -> lane.onSuccess(promise::tryComplete));
      Future.join(each).onFailure(all -> promise.tryFail(
          each.stream().filter(Future::failed).findFirst().orElseThrow().cause()));
    });
  }

  @Override
  boolean isFull() {
    int best = lanes.stream().mapToInt(LanesChannel::rank).max().orElse(0);
    return lanes.stream().filter(lane -> rank(lane) == best).allMatch(RpcChannel::writeQueueFull);
  }

  @Override
  public int pending() {
    return lanes.stream().mapToInt(ServerChannel::pending).sum();
  }

  @Override
  public boolean isDown() {
    return lanes.stream().allMatch(ServerChannel::isDown);
  }

  @Override
  public void revive() {
    lanes.forEach(ServerChannel::revive);
  }
}
