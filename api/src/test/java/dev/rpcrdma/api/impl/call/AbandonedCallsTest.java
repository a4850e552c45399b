// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services hear when nobody waits for their call any more, and what they have called is given up with it. */
class AbandonedCallsTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Slow", 0x20060094, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("wait", 0, 0, ReplyBound.of(0)),
          2, new ProcedureBinding("waitForOther", 0, 0, ReplyBound.of(0))));

  private final BlockingQueue<RpcCall> served = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final Promise<XdrEncoder> later = Promise.promise();
  private final Cancellation cancellation = Cancellation.create();
  private RpcBed bed;

  /** Answers when the test wants, or as another one does. */
  private final class Slow implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      Context context = Vertx.currentContext();
      String name = call.procedure() == 1 ? "wait" : "waitForOther";
      call.abandonHandler(none -> heard.add(name + (Vertx.currentContext() == context ? "" : " elsewhere")));
      served.add(call);
      return call.procedure() == 1 ? later.future()
          : bed.channel.call(RpcRequest.to(BINDING, 1).build()).map(done -> XdrEncoder.VOID);
    }
  }

  @BeforeEach
  void open() {
    bed = new RpcBed(new RpcServerOptions().setDrainTimeout(Duration.ofMillis(300)),
        new RpcClientOptions().setForwardCredits(4).setDrainTimeout(Duration.ofMillis(300)));
    bed.server.bind(new Slow());
    bed.channel.bind(new Slow());
  }

  @AfterEach
  void close() {
    later.tryComplete(XdrEncoder.VOID);
    bed.close();
  }

  private Future<Void> call(RpcCaller caller, int procedure) {
    return caller.call(RpcRequest.to(BINDING, procedure)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
  }

  @Test
  @DisplayName("A call that its caller cancels is heard of where it is served, and its credit is free")
  void cancelled() {
    // More than there are credits: each is free as soon as its call is given up.
    for (int i = 0; i < 10; i++) {
      Cancellation one = Cancellation.create();
      Future<Void> call = bed.channel.call(RpcRequest.to(BINDING, 1)
          .options(CallOptions.DEFAULT.withCancellation(one)).build());
      Waiting.next(served);
      one.cancel();
      assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
      assertThat(Waiting.next(heard)).isEqualTo("wait");
    }
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("A call in the reverse direction that is cancelled is heard of, too")
  void cancelledByTheServer() {
    BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
    bed.server.connectionHandler(connections::add);
    Waiting.await(bed.channel.connect());
    Future<Void> call = call(Waiting.next(connections).peer(), 1);
    Waiting.next(served);
    cancellation.cancel();
    Waiting.awaitFailure(call);
    assertThat(Waiting.next(heard)).isEqualTo("wait");
  }

  @Test
  @DisplayName("What a service has called for a call is given up with it")
  void parts() {
    Future<Void> call = call(bed.channel, 2);
    Waiting.next(served);
    Waiting.next(served);
    cancellation.cancel();
    Waiting.awaitFailure(call);
    assertThat(List.of(Waiting.next(heard), Waiting.next(heard)))
        .containsExactlyInAnyOrder("wait", "waitForOther");
  }

  @Test
  @DisplayName("The end of a call's time is heard of, also by whoever asks late")
  void timeOver() {
    // A call that has no time left is not served.
    for (Duration timeout = Duration.ofMillis(100); served.isEmpty(); timeout = timeout.multipliedBy(2)) {
      Waiting.awaitFailure(bed.channel.call(RpcRequest.to(BINDING, 1)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build()));
    }
    RpcCall atServer = Waiting.next(served);
    assertThat(Waiting.next(heard)).isEqualTo("wait");
    atServer.abandonHandler(none -> heard.add("late"));
    assertThat(Waiting.next(heard)).isEqualTo("late");
  }

  @Test
  @DisplayName("A call that is answered is not abandoned, whatever its caller does then")
  void answered() {
    Future<Void> call = call(bed.channel, 1);
    RpcCall atServer = Waiting.next(served);
    later.complete(XdrEncoder.VOID);
    Waiting.await(call);
    cancellation.cancel();
    atServer.abandonHandler(none -> heard.add("late"));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    assertThat(heard).isEmpty();
  }

  @Test
  @DisplayName("A call over a lost connection is not abandoned: its client will come for the answer")
  void connectionLost() {
    Future<Void> call = call(bed.channel, 1);
    Waiting.next(served);
    Waiting.await(Waiting.await(bed.channel.connect()).shutdown(Duration.ZERO));
    later.complete(XdrEncoder.VOID);
    Waiting.await(call);
    assertThat(heard).isEmpty();
  }
}
