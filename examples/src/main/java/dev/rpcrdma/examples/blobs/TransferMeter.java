// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Measures how fast blocks of memory go there and back, several at a time. Runs on one context. */
public final class TransferMeter {

  private static final int BLOCKS = 256;
  private static final int WARM_UP = 32;
  private static final int AT_A_TIME = 4;

  private final Vertx vertx;
  private final MemoryBlock server;
  private int left;

  private TransferMeter(Vertx vertx, MemoryBlock server) {
    this.vertx = vertx;
    this.server = server;
  }

  /**
   * Measures.
   *
   * @param vertx allocates memory
   * @param channel to a server that serves {@link MemoryBlock}
   * @return the rates
   */
  public static Future<TransferRate> measure(Vertx vertx, RpcChannel channel) {
    TransferMeter meter = new TransferMeter(vertx, channel.proxy(MemoryBlock.class));
    return meter.nanos(meter.server::put).compose(putNanos -> meter.nanos(target ->
        meter.server.get(target).onSuccess(Payload::release))
        .map(getNanos -> new TransferRate((long) BLOCKS * MemoryBlock.LENGTH, putNanos, getNanos)));
  }

  private Future<Long> nanos(Function<Payload, Future<?>> call) {
    return all(WARM_UP, call).compose(warm -> {
      long start = System.nanoTime();
      return all(BLOCKS, call).map(done -> System.nanoTime() - start);
    });
  }

  private Future<?> all(int blocks, Function<Payload, Future<?>> call) {
    left = blocks;
    return Future.all(IntStream.range(0, AT_A_TIME).mapToObj(lane -> {
      Payload memory = Payload.allocate(vertx, MemoryBlock.LENGTH);
      return lane(memory, call).onComplete(any -> memory.release());
    }).toList());
  }

  private Future<Void> lane(Payload memory, Function<Payload, Future<?>> call) {
    if (left == 0) {
      return Future.succeededFuture();
    }
    left--;
    return call.apply(memory).compose(done -> lane(memory, call));
  }
}
