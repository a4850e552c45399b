// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.PayloadWriter;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Streams of a verticle whose worker pool is closed before they end: nothing stays in use. */
class ClosedPoolsOfStreamsTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Deploys a verticle with a worker pool of its own, which its end closes. */
  private String deploy(Runnable start) {
    return Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        start.run();
        return Future.succeededFuture();
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("short")
        .setWorkerPoolSize(1)));
  }

  /** Fails if {@code PayloadFlow.later} does not catch the exception of a closed pool. */
  @Test
  @DisplayName("A payload that was handed on is given back, and the flow ends")
  void flow() {
    Promise<Void> handled = Promise.promise();
    BlockingQueue<Future<Long>> begun = new LinkedBlockingQueue<>();
    BlockingQueue<Payload> handed = new LinkedBlockingQueue<>();
    List<Buffer> chunks = List.of(Buffer.buffer(new byte[3]));
    String verticle = deploy(() -> begun.add(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, chunks),
        PayloadStreamOptions.DEFAULT, (offset, payload) -> {
          handed.add(payload);
          return handled.future();
        })));
    Payload payload = Waiting.next(handed);
    Waiting.await(vertx.undeploy(verticle));
    handled.complete();
    assertThat(payload.tryRelease()).as("somebody's").isFalse();
    assertThat(Waiting.next(begun).failed()).isTrue();
  }

  /** Fails if {@code PayloadWriterImpl.later} does not catch the exception of a closed pool. */
  @Test
  @DisplayName("Payloads that wait for a stream are given back, and so are those that come later")
  void writer() {
    GatedStream target = new GatedStream();
    BlockingQueue<PayloadWriter> made = new LinkedBlockingQueue<>();
    String verticle = deploy(() -> made.add(PayloadWriter.to(vertx, target)));
    PayloadWriter writer = Waiting.next(made);
    Payload payload = Payload.copyOf(vertx, Buffer.buffer(new byte[300_000]));
    Future<Void> first = writer.write(payload);
    Waiting.until(() -> target.unwritten() == 2);
    Waiting.await(vertx.undeploy(verticle));
    target.writeOne();
    assertThat(first.failed()).isTrue();
    assertThat(writer.write(payload).failed()).isTrue();
    assertThat(payload.tryRelease()).isTrue();
    assertThat(payload.tryRelease()).as("somebody's").isFalse();
  }
}
