// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.session.ChannelMachine;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.tracing.TracingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cancellations, and a test in place of what makes the calls. */
class CancellationImplTest {

  private final CancellationImpl cancellation = new CancellationImpl();
  private final List<String> cancelled = new ArrayList<>();

  private static ContextInternal context(Vertx vertx) {
    return ((VertxInternal) vertx).getOrCreateContext();
  }

  /** Makes a call that waits for a connection. */
  private void call(ContextInternal context, String name) {
    ChannelMachine channel = new ChannelMachine(new ChannelSettings(Replay.SAFE, 3, 3, 1, 1), () -> { },
        new Deadlines(), new Random(1));
    ClientCall.make(RpcRequest.to(1, 1, 0)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build(), context,
        context.nettyEventLoop(), TracingPolicy.IGNORE, null, call -> {
          call.begin(new Maker(context));
          call.carriedBy(channel.call(call, call.repetition(), Long.MAX_VALUE));
        }).onFailure(cause -> cancelled.add(name));
  }

  /** What a call asks of whoever makes it. */
  private record Maker(ContextInternal context) implements CallMaker {

    @Override
    public CallPolicy policy() {
      return CallPolicy.of(new RpcClientOptions());
    }

    @Override
    public long now() {
      return System.nanoTime();
    }

    @Override
    public Throwable connectFailure() {
      return null;
    }
  }

  @Test
  void callsAreGivenUpInTheirOrderInATurnOfTheirLoop() {
    Vertx vertx = Vertx.vertx();
    ContextInternal context = context(vertx);
    Future<Integer> duringCancel = Future.future(promise -> context.nettyEventLoop().execute(() -> {
      call(context, "first");
      call(context, "second");
      cancellation.cancel();
      promise.complete(cancelled.size());
    }));
    assertThat(Waiting.await(duringCancel)).as("from inside cancel()").isZero();
    assertThat(cancellation.size()).isZero();
    Waiting.await(Future.<Void>future(promise -> context.nettyEventLoop().execute(promise::complete)));
    assertThat(cancelled).containsExactly("first", "second");
    Waiting.await(vertx.close());
  }

  @Test
  void aLoopThatHasEndedKeepsNoOtherCallFromBeingGivenUp() {
    Vertx ended = Vertx.vertx();
    call(context(ended), "of the ended loop");
    Vertx other = Vertx.vertx();
    ContextInternal context = context(other);
    call(context, "other");
    Waiting.await(ended.close());
    cancellation.cancel();
    Waiting.await(Future.<Void>future(promise -> context.nettyEventLoop().execute(promise::complete)));
    assertThat(cancelled).containsExactly("other");
    Waiting.await(other.close());
  }
}
