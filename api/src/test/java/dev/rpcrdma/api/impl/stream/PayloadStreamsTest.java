// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import static dev.rpcrdma.api.impl.stream.ScriptedStream.buffers;
import static dev.rpcrdma.api.impl.stream.ScriptedStream.joined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Streams as calls; what they leave registered fails the closing of the bed. */
class PayloadStreamsTest {

  private static final int CHUNK = 100_000;

  private static PayloadStreamOptions options(int maxInFlight) {
    return PayloadStreamOptions.DEFAULT.withChunkSize(CHUNK).withMaxInFlight(maxInFlight);
  }

  @Test
  @DisplayName("Each call has the bytes of its own payload, though others use the same memory")
  void calls() {
    try (RpcBed bed = new RpcBed("siw")) {
      List<Buffer> buffers = buffers(CHUNK, 3 * CHUNK, 70_000, CHUNK, 50_000, 5 * CHUNK + 7);
      Buffer back = Buffer.buffer();
      long length = Waiting.await(PayloadStreams.forEach(bed.vertx, ScriptedStream.of(bed.vertx, buffers), options(3),
          (offset, payload) -> bed.channel.call(EchoService.echoPlaced(payload))
              .onSuccess(bytes -> back.setBuffer((int) offset, bytes))));
      assertThat(length).isEqualTo(back.length());
      assertThat(back).isEqualTo(joined(buffers));
    }
  }

  @Test
  @DisplayName("A stream that fails while a chunk is half full leaves nothing registered")
  void failing() {
    try (RpcBed bed = new RpcBed("siw")) {
      ScriptedStream source = ScriptedStream.failing(bed.vertx, buffers(CHUNK, 10), new IOException("cut"));
      Future<Long> end = PayloadStreams.forEach(bed.vertx, source, options(1),
          (offset, payload) -> bed.channel.call(EchoService.echoPlaced(payload)));
      assertThat(Waiting.awaitFailure(end)).hasMessage("cut");
    }
  }
}
