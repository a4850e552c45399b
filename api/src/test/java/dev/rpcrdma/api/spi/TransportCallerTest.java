// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls over a transport that answers as a test wants, or not at all. */
class TransportCallerTest {

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<OutgoingCall> givenUp = new LinkedBlockingQueue<>();
  private Consumer<OutgoingCall> carry = call -> { };
  private final TransportCaller caller = TransportCaller.create(vertx, new CallTransport() {
    @Override
    public void carry(OutgoingCall call) {
      carry.accept(call);
    }

    @Override
    public void givenUp(OutgoingCall call) {
      givenUp.add(call);
    }
  }, new TransportOptions(Duration.ofSeconds(30), OpaqueAuth.NONE, TracingPolicy.PROPAGATE, 10));

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Future<Integer> call(CallOptions options) {
    return caller.call(RpcRequest.to(0x20060098, 1, 1).withoutBinding().results(XdrReader::int32).options(options)
        .build());
  }

  private Throwable failure(Consumer<OutgoingCall> answer) {
    carry = answer;
    return Waiting.awaitFailure(call(CallOptions.DEFAULT));
  }

  private static XdrReader reader(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return new XdrReader(bytes.flip());
  }

  @Test
  @DisplayName("The first answer counts, and no other")
  void once() {
    carry = call -> {
      assertThat(call.sending()).isTrue();
      call.replied(() -> reader(7), false);
      call.replied(() -> reader(8), true);
      call.timedOut();
      call.rejected(new ReplyHeader.Accepted(call.xid(), AcceptStatus.SYSTEM_ERR));
      call.failed(new RpcConnectException("too late", null));
      assertThat(call.sending()).isFalse();
    };
    for (int i = 0; i < 20; i++) {
      assertThat(Waiting.await(call(CallOptions.DEFAULT))).isEqualTo(7);
    }
    assertThat(caller.calls()).isZero();
  }

  @Test
  @DisplayName("A transport that does nothing does not keep a caller waiting")
  void noAnswer() {
    CallOptions hurried = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(1));
    assertThat(Waiting.awaitFailure(call(hurried))).isInstanceOfSatisfying(RpcTimeoutException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    carry = OutgoingCall::sending;
    assertThat(Waiting.awaitFailure(call(hurried))).isInstanceOfSatisfying(RpcTimeoutException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    assertThat(givenUp).isEmpty();
  }

  @Test
  @DisplayName("A peer that gives up as late as the caller says nothing of its own")
  void lateRejection() {
    carry = call -> {
      while (call.nanosLeft() > 0) {
        Thread.onSpinWait();
      }
      call.rejected(new ReplyHeader.Accepted(call.xid(), AcceptStatus.SYSTEM_ERR));
    };
    assertThat(Waiting.awaitFailure(call(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(1)))))
        .isInstanceOf(RpcTimeoutException.class);
  }

  @Test
  @DisplayName("A peer hears of calls that are cancelled if it may have seen them")
  void cancelling() {
    BlockingQueue<OutgoingCall> carried = new LinkedBlockingQueue<>();
    for (boolean sent : new boolean[] {false, true}) {
      carry = call -> {
        if (sent) {
          call.sending();
        }
        carried.add(call);
      };
      Cancellation cancellation = Cancellation.create();
      Future<Integer> call = call(CallOptions.DEFAULT.withCancellation(cancellation));
      OutgoingCall waiting = Waiting.next(carried);
      cancellation.cancel();
      assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcCancelledException.class,
          e -> assertThat(e.maybeExecuted()).isEqualTo(sent));
      if (sent) {
        assertThat(Waiting.next(givenUp)).isSameAs(waiting);
      }
    }
    assertThat(givenUp).isEmpty();
  }

  @Test
  @DisplayName("What a transport cannot carry fails")
  void failures() {
    assertThat(failure(call -> {
      throw new IllegalStateException("on purpose");
    })).isInstanceOfSatisfying(RpcTransportException.class, e -> assertThat(e.maybeExecuted()).isFalse());
    for (boolean byWorker : new boolean[] {false, true}) {
      assertThat(failure(call -> call.replied(() -> {
        throw new IOException("on purpose");
      }, byWorker))).isInstanceOf(RpcTransportException.class).hasMessageContaining("on purpose");
      assertThat(failure(call -> call.replied(() -> reader(), byWorker))).isInstanceOf(RpcDecodingException.class);
    }
    assertThat(failure(call -> call.rejected(new ReplyHeader.Accepted(call.xid(), AcceptStatus.SYSTEM_ERR))))
        .isInstanceOf(RpcRejectedException.class);
  }

  @Test
  @DisplayName("Closing fails new calls, and waits for others as long as it is told")
  void closing() {
    BlockingQueue<OutgoingCall> carried = new LinkedBlockingQueue<>();
    carry = carried::add;
    Future<Integer> answered = call(CallOptions.DEFAULT);
    OutgoingCall first = Waiting.next(carried);
    Future<Void> closed = caller.close(Duration.ofDays(1));
    assertThat(Waiting.awaitFailure(call(CallOptions.DEFAULT))).isInstanceOf(RpcClosedException.class);
    caller.context().runOnContext(go -> first.replied(() -> reader(1), false));
    assertThat(Waiting.await(answered)).isOne();
    Waiting.await(closed);
  }

  @Test
  @DisplayName("Options have their bounds")
  void options() {
    assertThatThrownBy(() -> new TransportOptions(Duration.ofSeconds(1), OpaqueAuth.NONE, TracingPolicy.PROPAGATE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
