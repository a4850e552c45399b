// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose memory bodies are in when they are protected and opened. */
@DisplayName("Bodies of RPCSEC_GSS")
class GssBodiesTest {

  private static final int SEQUENCE = 9;

  private final Deque<Runnable> work = new ArrayDeque<>();

  /** Fails if {@code GssBodies.open} opens a body where it lies, in memory that its connection uses again. */
  @ParameterizedTest
  @CsvSource({"INTEGRITY, 100, 0", "INTEGRITY, 9000, 1", "PRIVACY, 100, 0", "PRIVACY, 9000, 1"})
  @DisplayName("What was opened is in memory of its own; what is large is opened elsewhere, from memory of its own")
  void ownMemory(GssService service, int length, int hops) {
    GssContext context = new ToyContext("the key");
    byte[] body = new byte[length];
    Arrays.fill(body, (byte) 0x5a);
    byte[] message = ProtectedBody.protect(service, context, SEQUENCE, ByteBuffer.wrap(body));
    AtomicReference<Optional<ByteBuffer>> opened = new AtomicReference<>();
    new GssBodies(service, context, SEQUENCE, work::add).open(ByteBuffer.wrap(message).asReadOnlyBuffer(), opened::set);
    assertThat(work).hasSize(hops);
    Arrays.fill(message, (byte) 0);
    work.forEach(Runnable::run);
    assertThat(opened.get()).hasValue(ByteBuffer.wrap(body));
  }
}
