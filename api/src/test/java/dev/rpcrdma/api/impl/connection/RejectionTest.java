// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.ConnectionRejectedException;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reasons that cross with rejections. */
@DisplayName("The reason of a rejection")
class RejectionTest {

  private static String read(Buffer data) {
    return Rejection.reason(new ConnectionRejectedException("rejected", data));
  }

  /** Fails if padding is shown, or a reason is sent that a device refuses. */
  @Test
  @DisplayName("Crosses, padded or not, if there is room for it")
  void crosses() {
    Buffer sent = Rejection.saying("it is full", 100);
    assertThat(read(sent)).isEqualTo(": it is full");
    assertThat(read(sent.copy().appendBytes(new byte[20]))).isEqualTo(": it is full");
    assertThat(Rejection.saying("it is full", sent.length()).length()).isEqualTo(sent.length());
    assertThat(Rejection.saying("it is full", sent.length() - 1).length()).isZero();
  }

  /** Fails if bytes of a stranger get into a message as they are. */
  @Test
  @DisplayName("Is text of one line, whatever a stranger sends")
  void strangers() {
    assertThat(read(Buffer.buffer())).isEmpty();
    assertThat(read(Buffer.buffer("something else"))).isEmpty();
    assertThat(Rejection.reason(new IllegalStateException("another failure"))).isEmpty();
    assertThat(read(Rejection.saying("a\n\u001b[2J\u00e9", 100))).isEqualTo(": a??[2J?");
    assertThat(read(Buffer.buffer("vertx-rpcrdma: a\n\u001b[2Jb", "ISO-8859-1"))).isEqualTo(": a??[2Jb");
    assertThat(read(Buffer.buffer("vertx-rpcrdma: " + "x".repeat(1000)))).hasSize(202);
  }
}
