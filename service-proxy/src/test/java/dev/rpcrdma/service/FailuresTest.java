// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.BlobEvents;
import dev.rpcrdma.service.fixture.BlobInfo;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How failures of a service reach its caller. */
class FailuresTest {

  private static final BlobInfo INFO = new BlobInfo("n", 1, Buffer.buffer());

  private final OnVertx onVertx = new OnVertx();
  private LoopbackCaller caller;

  @AfterEach
  void close() throws Exception {
    onVertx.close();
  }

  @Test
  void serviceExceptionsCross() {
    ServiceException failure = (ServiceException) outcome(() -> Future.failedFuture(
        new ServiceException(-7, "no: ß", new JsonObject().put("a", 1))));
    assertThat(failure.failureCode()).isEqualTo(-7);
    assertThat(failure).hasMessage("no: ß");
    assertThat(failure.getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
    assertThat(Samples.hex(caller.lastReply())).isEqualTo(
        "00000001 fffffff9 00000006 6e6f3a20 c39f0000 00000007 7b226122 3a317d00");
  }

  /** Fails if {@code ServiceFailure.write} leaves a failure without its words to an encoder that refuses them. */
  @Test
  void halvesOfSurrogatePairsCrossAsQuestionMarks() {
    ServiceException failure = (ServiceException) outcome(() -> Future.failedFuture(
        new ServiceException(3, "no \ud83d", new JsonObject().put("a", "\ude00"))));
    assertThat(failure).hasMessage("no ?");
    assertThat(failure.failureCode()).isEqualTo(3);
    assertThat(failure.getDebugInfo()).isEqualTo(new JsonObject().put("a", "?"));
  }

  @Test
  void serviceExceptionsCrossIfThrown() {
    assertThat(outcome(() -> {
      throw new ServiceException(5, "thrown");
    })).isInstanceOfSatisfying(ServiceException.class, e ->
        assertThat(e.failureCode()).isEqualTo(5)).hasMessage("thrown");
  }

  @Test
  void nullsInServiceExceptionsBecomeEmpty() {
    ServiceException failure =
        (ServiceException) outcome(() -> Future.failedFuture(new ServiceException(1, null, null)));
    assertThat(failure).hasMessage("");
    assertThat(failure.getDebugInfo()).isEqualTo(new JsonObject());
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("00000001 00000001 00000000 00000000");
  }

  /** Fails if {@code DebugInfo.text} lets out why debug info has no form in JSON. */
  @Test
  void debugInfoThatCannotBeWrittenIsLeftOut() {
    JsonObject circle = new JsonObject();
    circle.put("circle", circle);
    for (JsonObject info : List.of(new JsonObject().put("thread", Thread.currentThread()), circle)) {
      ServiceException failure = (ServiceException) outcome(() -> Future.failedFuture(
          new ServiceException(7, "no", info)));
      assertThat(failure.failureCode()).isEqualTo(7);
      assertThat(failure).hasMessage("no");
      assertThat(failure.getDebugInfo()).isEqualTo(new JsonObject());
    }
  }

  @Test
  void longTextsAreCutVisibly() {
    ServiceException exact = (ServiceException) outcome(() -> Future.failedFuture(
        new ServiceException(1, "m".repeat(256), json(512))));
    assertThat(exact).hasMessage("m".repeat(256));
    assertThat(exact.getDebugInfo()).isEqualTo(json(512));
    assertThat(caller.lastReply()).as("the documented bound").hasSize(784);

    ServiceException cut = (ServiceException) outcome(() -> Future.failedFuture(
        new ServiceException(1, "𝄞".repeat(100), json(513))));
    assertThat(cut).hasMessage("𝄞".repeat(63) + "…");
    assertThat(cut.getDebugInfo())
        .isEqualTo(new JsonObject().put("droppedBytes", 513).put("maxBytes", 512));
    assertThat(caller.lastReply()).hasSizeLessThanOrEqualTo(784);

    // Fails if ServiceFailure.shortened leaves out the last character that fits, or has one more.
    assertThat(outcome(() -> Future.failedFuture(new ServiceException(1, "m".repeat(257)))))
        .hasMessage("m".repeat(253) + "…");
  }

  @Test
  void otherExceptionsStayHere() {
    IllegalStateException failure = new IllegalStateException("secret");
    assertThat(outcome(() -> Future.failedFuture(failure))).isSameAs(failure);
    assertThat(outcome(() -> {
      throw failure;
    })).isSameAs(failure);
    RpcStatusException status = new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "not now");
    assertThat(outcome(() -> Future.failedFuture(status))).isSameAs(status);
  }

  @Test
  void anXdrExceptionOfTheServiceDoesNotBlameTheCaller() {
    XdrException failure = new XdrException("of another call");
    assertThat(outcome(() -> Future.failedFuture(failure)))
        .isNotInstanceOf(XdrException.class).hasCause(failure);
    assertThat(outcome(() -> {
      throw failure;
    })).isNotInstanceOf(XdrException.class).hasCause(failure);
  }

  @Test
  void aNullFutureIsNamed() {
    assertThat(outcome(() -> null)).isInstanceOf(IllegalStateException.class)
        .hasMessage("BlobEvents.stored returned null instead of a future");
  }

  @Test
  void bareProgramsHaveBareResults() throws Throwable {
    ServiceBinding<Bare> binding = ServiceBinding.of(Bare.class);
    ServiceException failure = new ServiceException(1, "no");
    caller = new LoopbackCaller(onVertx.vertx(), binding.service(new Bare() {
      @Override
      public Future<Integer> increment(int value) {
        return value < 0 ? Future.failedFuture(failure)
            : Future.succeededFuture(value == 0 ? null : value + 1);
      }

      @Override
      public Future<Void> nothing() {
        return Future.succeededFuture();
      }
    }), false);
    Bare bare = caller.proxy(Bare.class);
    assertThat(onVertx.await(() -> bare.increment(41))).isEqualTo(42);
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("0000002a");
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(4));
    assertThat(onVertx.await(bare::nothing)).isNull();
    assertThat(caller.lastReply()).isEmpty();
    assertThat(catchThrowable(() -> onVertx.await(() -> bare.increment(-1)))).isSameAs(failure);
    assertThat(catchThrowable(() -> onVertx.await(() -> bare.increment(0))))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the result of Bare.increment must not be null");
  }

  private Throwable outcome(Supplier<Future<Void>> service) {
    ServiceBinding<BlobEvents> binding = ServiceBinding.of(BlobEvents.class);
    caller = new LoopbackCaller(onVertx.vertx(), binding.service(info -> service.get()), false);
    BlobEvents events = caller.proxy(BlobEvents.class);
    return catchThrowable(() -> onVertx.await(() -> events.stored(INFO)));
  }

  /** An object whose text has the given size. */
  private static JsonObject json(int size) {
    JsonObject json = new JsonObject().put("k", "");
    int missing = size - json.encode().getBytes(StandardCharsets.UTF_8).length;
    return json.put("k", "v".repeat(missing));
  }
}
