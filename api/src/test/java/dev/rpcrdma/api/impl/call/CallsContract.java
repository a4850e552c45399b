// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of every form; what holds over any provider. */
public abstract class CallsContract {

  private final String provider;
  private RpcBed bed;
  private RpcChannel channel;

  protected CallsContract(String provider) {
    this.provider = provider;
  }

  @BeforeEach
  void open() {
    bed = new RpcBed(provider);
    channel = bed.channel;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  @DisplayName("R-061 R-100 R-103 R-104 R-105: inline, Position-Zero and Reply chunks of every size")
  void plainCalls() {
    for (int length : new int[] {0, 1, 3, 128, 3900, 4000, 4096, 5001, 70_001, 1 << 20}) {
      byte[] bytes = random(length);
      assertThat(Waiting.await(channel.call(EchoService.echo(bytes))).getBytes())
          .as("%d bytes", length).isEqualTo(bytes);
    }
    assertThat(bed.snapshot().messages().positionZeroChunks()).isEqualTo(4);
    assertThat(bed.snapshot().messages().replyChunks()).isPositive();
  }

  @Test
  @DisplayName("R-101 R-080: placed arguments and results of every size")
  void placedItems() {
    for (int length : new int[] {0, 1, 3, 128, 3900, 4096, 5001, 70_001, 1 << 20, 9_000_001}) {
      Buffer bytes = Buffer.buffer(random(length));
      Payload payload = Payload.copyOf(bed.vertx, bytes);
      assertThat(Waiting.await(channel.call(EchoService.echoPlaced(payload))))
          .as("%d bytes", length).isEqualTo(bytes);
      payload.release();
    }
    ConnectionSnapshot snapshot = bed.snapshot();
    assertThat(snapshot.messages().readChunks()).isPositive();
    assertThat(snapshot.messages().writeChunks()).isPositive();
    assertThat(snapshot.memory().exposures()).isZero();
    assertThat(snapshot.calls().pending()).isZero();
  }

  /** Fails if {@code CallPlan.form} does not count the head in what fits inline. */
  @Test
  @DisplayName("R-040 R-205: all forms work with messages of 1024 bytes and one credit, in both directions")
  void smallestConnection() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions().setProvider(provider).setInlineSize(1024)
        .setForwardCredits(1).setReverseCredits(1),
        new RpcClientOptions().setProvider(provider).setInlineSize(1024)
            .setForwardCredits(1).setReverseCredits(1));
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    bed.server.connectionHandler(accepted::add);
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    for (RpcCaller caller : List.of(bed.channel, Waiting.next(accepted).peer())) {
      for (int length : new int[] {0, 900, 952, 953, 1024, 4096, 70_001}) {
        byte[] bytes = random(length);
        assertThat(Waiting.await(caller.call(EchoService.echo(bytes))).getBytes())
            .as("%d bytes", length).isEqualTo(bytes);
        assertThat(Waiting.await(caller.call(EchoService.echoPlaced(DataItem.of(bytes))))
            .getBytes()).as("%d bytes placed", length).isEqualTo(bytes);
      }
    }
    assertThat(bed.snapshot().calls().creditsGranted()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-170: calls without chunks register nothing, and expose nothing")
  void registeredOnce() {
    Waiting.await(channel.call(EchoService.echo(random(100))));
    int before = bed.watch.registrations();
    for (int i = 0; i < 1_000; i++) {
      Waiting.await(channel.call(EchoService.echo(random(100))));
    }
    assertThat(bed.watch.registrations()).isEqualTo(before).isPositive();
    assertThat(bed.snapshot().memory().exposures()).isZero();
  }

  @Test
  void argumentsAreTakenBeforeTheCallReturns() {
    // The channel is not connected yet, so the call waits.
    byte[] bytes = {1, 2, 3};
    Future<Buffer> plain = channel.call(EchoService.echo(bytes));
    bytes[1] = 9;
    Payload payload = Payload.copyOf(bed.vertx, Buffer.buffer(random(100_000)));
    Future<Buffer> placed = channel.call(EchoService.echoPlaced(payload));
    payload.release();
    assertThat(Waiting.await(plain).getBytes()).isEqualTo(new byte[] {1, 2, 3});
    assertThat(Waiting.await(placed).getBytes()).isEqualTo(random(100_000));
  }

  /** Fails if {@code ConnectionMemory.allocateFilled} copies everything itself, or nothing. */
  @Test
  @DisplayName("A MiB is copied on the event loop, and what is longer by a worker")
  void longCopies() {
    for (int length : new int[] {1 << 20, (1 << 20) + 1}) {
      byte[] bytes = random(length);
      Set<String> threads = ConcurrentHashMap.newKeySet();
      DataItem item = new DataItem() {
        @Override
        public int length() {
          return length;
        }

        @Override
        public void copyTo(ByteBuffer target) {
          threads.add(Thread.currentThread().getName());
          target.put(bytes);
        }
      };
      assertThat(Waiting.await(channel.call(EchoService.echoPlaced(item))).getBytes()).isEqualTo(bytes);
      assertThat(threads).singleElement().asString()
          .contains(length > 1 << 20 ? "worker-thread" : "eventloop-thread");
    }
  }

  @Test
  void itemsOnTheHeapArePlacedToo() {
    byte[] bytes = random(50_001);
    assertThat(Waiting.await(channel.call(EchoService.echoPlaced(DataItem.of(bytes)))).getBytes())
        .isEqualTo(bytes);
    assertThat(bed.snapshot().messages().readChunks()).isEqualTo(1);
  }

  @Test
  void resultsArePlacedIntoMemoryOfTheCaller() {
    byte[] bytes = random(60_001);
    Payload target = Payload.allocate(bed.vertx, 100_000);
    Payload result = Waiting.await(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(writer -> writer.dataItem(DataItem.of(bytes))).placedResult(target)
        .results(reader -> (Payload) reader.dataItem(100_000).retain()).build()));
    assertThat(result.length()).isEqualTo(bytes.length);
    assertThat(target.toBuffer().getBytes(0, bytes.length)).isEqualTo(bytes);
    result.release();
    target.release();
  }

  @Test
  void filesAreReadWhereTheyAre(@TempDir Path directory) throws IOException {
    byte[] bytes = random(300_001);
    Path file = Files.write(directory.resolve("file"), bytes);
    Payload payload = Waiting.await(Payload.file(bed.vertx, file, 1, 300_000));
    Buffer result = Waiting.await(channel.call(EchoService.echoPlaced(payload)));
    payload.release();
    assertThat(result).isEqualTo(Buffer.buffer(bytes).getBuffer(1, 300_001));
  }

  @Test
  @DisplayName("R-024 R-028: more calls than credits wait for their turn")
  void manyCallsAtOnce() {
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      calls.add(channel.call(EchoService.echo(random(i))));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(Waiting.await(calls.get(i)).getBytes()).isEqualTo(random(i));
    }
    assertThat(bed.snapshot().calls().creditsGranted()).isEqualTo(RpcOptions.DEFAULT_FORWARD_CREDITS);
  }

  @Test
  void manyLargeCallsAtOnce() {
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(channel.call(EchoService.echoPlaced(DataItem.of(random(100_000 + i)))));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(Waiting.await(calls.get(i)).getBytes()).isEqualTo(random(100_000 + i));
    }
  }

  @Test
  @DisplayName("R-148 B-106 B-107: every accept status arrives as a typed exception")
  void statuses() {
    assertThat(status(RpcRequest.to(0x20061234, 1, 1).withoutBinding().build()))
        .isEqualTo(AcceptStatus.PROG_UNAVAIL);
    assertThat(status(RpcRequest.to(EchoService.PROGRAM, 7, 1).withoutBinding().build()))
        .isEqualTo(AcceptStatus.PROG_MISMATCH);
    assertThat(status(
        RpcRequest.to(EchoService.PROGRAM, 1, 99).withoutBinding().build())).isEqualTo(AcceptStatus.PROC_UNAVAIL);
    assertThat(status(EchoService.call(EchoService.THROW))).isEqualTo(AcceptStatus.SYSTEM_ERR);
    assertThat(status(EchoService.call(EchoService.BAD_RESULTS)))
        .isEqualTo(AcceptStatus.SYSTEM_ERR);
    assertThat(status(EchoService.call(EchoService.STATUS))).isEqualTo(AcceptStatus.PROC_UNAVAIL);
    assertThat(status(EchoService.call(EchoService.ECHO))).isEqualTo(AcceptStatus.GARBAGE_ARGS);
    Waiting.await(channel.call(RpcRequest.to(EchoService.PROGRAM, 1, 0).build()));
  }

  /** Fails if {@code RpcRequest.Builder.build} does not ask for the binding. */
  @Test
  @DisplayName("R-200: without a binding only NULL is called, unless the application says so")
  void withoutBinding() {
    assertThatThrownBy(() -> RpcRequest.to(EchoService.PROGRAM, 1, EchoService.ECHO).build())
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("withoutBinding()");
    byte[] bytes = random(5_000);
    assertThat(Waiting.await(channel.call(RpcRequest
        .to(EchoService.PROGRAM, 1, EchoService.ECHO).withoutBinding()
        .arguments(w -> w.opaque(bytes)).replyBound(ReplyBound.of(6_000))
        .results(r -> r.opaque(6_000)).build()))).isEqualTo(bytes);
  }

  @Test
  @DisplayName("R-060 R-201: what the binding does not call eligible is not reduced")
  void notEligible() {
    DataItem item = DataItem.of(random(10));
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(w -> w.dataItem(item)).build())))
        .isInstanceOf(RpcEncodingException.class).hasMessageContaining("DDP-eligible");
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.PROGRAM, 1, 1).withoutBinding()
        .arguments(w -> w.dataItem(item)).build())))
        .isInstanceOf(RpcEncodingException.class).hasMessageContaining("DDP-eligible");
    assertThatThrownBy(() -> RpcRequest.to(EchoService.BINDING, EchoService.ECHO).placedResult(1)
        .build()).isInstanceOf(IllegalStateException.class).hasMessageContaining("ECHO has 0");
    assertThatThrownBy(() -> RpcRequest.to(EchoService.BINDING, 99))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no procedure 99");
    assertThat(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED).build().replyBound())
        .isEqualTo(ReplyBound.of(4));
  }

  private AcceptStatus status(RpcRequest<?> request) {
    Throwable failure = Waiting.awaitFailure(channel.call(request));
    assertThat(failure).isInstanceOf(RpcRejectedException.class);
    return ((RpcRejectedException) failure).acceptStatus().orElseThrow();
  }

  @Test
  @DisplayName("B-108: credentials that cannot be decoded are refused, and the connection stays")
  void credentials() {
    RpcRequest.Builder<Void> request = RpcRequest.to(EchoService.PROGRAM, 1, 0);
    Waiting.await(channel.call(request.options(CallOptions.DEFAULT.withCredentials(
        new AuthSys(1, "host", 0, 0, List.of(1, 2)).toAuth())).build()));
    Throwable failure = Waiting.awaitFailure(channel.call(request.options(CallOptions.DEFAULT
        .withCredentials(new OpaqueAuth(1, new byte[] {1, 2, 3}))).build()));
    assertThat(((RpcRejectedException) failure).authStatus()).contains(AuthStatus.BADCRED);
    failure = Waiting.awaitFailure(channel.call(request.options(CallOptions.DEFAULT
        .withCredentials(new OpaqueAuth(6, new byte[0]))).build()));
    assertThat(((RpcRejectedException) failure).authStatus()).contains(AuthStatus.REJECTEDCRED);
    Waiting.await(channel.call(EchoService.echo(new byte[10])));
  }

  @Test
  @DisplayName("R-153 B-066: a reply larger than its room is an error, and the connection stays")
  void replyTooLarge() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions().setProvider(provider).setProvideReplies(false),
        new RpcClientOptions().setProvider(provider));
    channel = bed.channel;
    byte[] bytes = random(200_000);
    Throwable failure = Waiting.awaitFailure(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO).arguments(w -> w.opaque(bytes))
        .replyBound(ReplyBound.of(100_000)).build()));
    assertThat(failure).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining("100000 bytes that the call had room for").hasMessageContaining("withMaxReply");
    failure = Waiting.awaitFailure(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(w -> w.dataItem(DataItem.of(bytes))).placedResult(100_000).build()));
    assertThat(failure).isInstanceOf(RpcTransportException.class);
    Waiting.await(channel.call(EchoService.echo(new byte[10])));
  }

  @Test
  @DisplayName("Results that cannot be decoded fail their call alone")
  void resultsOfAnotherType() {
    Throwable failure = Waiting.awaitFailure(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO).arguments(w -> w.opaque(new byte[10]))
        .results(reader -> reader.string(3)).build()));
    assertThat(failure).isInstanceOf(RpcDecodingException.class);
    Waiting.await(channel.call(EchoService.echo(new byte[10])));
  }

  @Test
  void resultsThatTellOfAFailureFailTheirCallWithIt() {
    ReplyException told = new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 7, "told");
    Throwable failure = Waiting.awaitFailure(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO).arguments(w -> w.opaque(new byte[10]))
        .results(reader -> {
          throw told;
        }).build()));
    assertThat(failure).isSameAs(told);
  }

  @Test
  void argumentsThatCannotBeEncodedFailTheirCallAlone() {
    Throwable failure = Waiting.awaitFailure(channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO).arguments(w -> {
          throw new IllegalArgumentException("on purpose");
        }).build()));
    assertThat(failure).isInstanceOf(RpcEncodingException.class).hasMessageContaining("ECHO")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    Waiting.await(channel.call(EchoService.echo(new byte[10])));
  }
}
