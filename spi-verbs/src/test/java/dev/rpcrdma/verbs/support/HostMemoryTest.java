// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may be done with registered memory. */
@DisplayName("support: registered memory")
final class HostMemoryTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final HostMemory memory = register(ByteBuffer.allocateDirect(16));

  private HostMemory register(ByteBuffer buffer) {
    return (HostMemory) domain.register(buffer, LocalMemory.Backing.MEMORY).result();
  }

  private static void assertRefused(String word, ThrowingCallable use) {
    assertThatThrownBy(use).isInstanceOf(VerbsException.class).hasMessageContaining(word)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("P-023, B-019: a range is inside its memory")
  void ranges() {
    for (int[] good : new int[][] {{0, 0}, {0, 16}, {16, 0}, {15, 1}, {3, 5}}) {
      assertThat(HostMemory.check(memory, domain, good[0], good[1])).isSameAs(memory);
      assertThat(HostMemory.checkSink(memory, domain, good[0], good[1])).isSameAs(memory);
    }
    for (int[] bad : new int[][] {{-1, 1}, {0, -1}, {0, 17}, {16, 1}, {17, 0}, {1, Integer.MAX_VALUE}}) {
      assertRefused("outside", () -> HostMemory.check(memory, domain, bad[0], bad[1]));
    }
  }

  @Test
  @DisplayName("P-023, B-019: memory of another domain, and memory that is deregistered, is refused")
  void foreign() {
    assertRefused("not registered", () -> HostMemory.check(memory, new HostProtectionDomain(), 0, 1));
    assertRefused("not registered", () -> HostMemory.check(null, domain, 0, 1));
    memory.deregister();
    assertRefused("deregistered", () -> HostMemory.check(memory, domain, 0, 1));
    assertRefused("deregistered", memory::use);
  }

  @Test
  @DisplayName("Nothing is placed in read-only memory, and it may be sent from")
  void readOnly() {
    HostMemory readOnly = register(ByteBuffer.allocateDirect(8).asReadOnlyBuffer());
    assertThat(readOnly.readOnly()).isTrue();
    assertThat(memory.readOnly()).isFalse();
    assertThat(HostMemory.check(readOnly, domain, 0, 8)).isSameAs(readOnly);
    assertRefused("read-only", () -> HostMemory.checkSink(readOnly, domain, 0, 8));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Bytes are copied out and placed whatever is behind the memory, and positions stay")
  void copies(LocalMemory.Backing backing) {
    HostMemory each = (HostMemory) domain.register(ByteBuffer.allocateDirect(4), backing).result();
    each.place(1, ByteBuffer.wrap(new byte[] {1, 2, 3}), 1, 2);
    ByteBuffer target = ByteBuffer.allocate(4);
    each.copyTo(1, 3, target, 1);
    assertThat(target.array()).containsExactly(0, 2, 3, 0);
    assertThat(target.position()).isZero();
    assertThat(each.buffer().get(2)).isEqualTo((byte) 3);
    assertThat(each.buffer().position()).isZero();
  }

  @Test
  @DisplayName("A domain that is closed registers nothing; heap memory is never registered")
  void refusedRegistrations() {
    assertThat(memory.backing()).isEqualTo(LocalMemory.Backing.MEMORY);
    assertThat(memory.mapped()).isFalse();
    assertThat(domain.register(ByteBuffer.allocate(8), LocalMemory.Backing.MEMORY).failed()).isTrue();
    assertThat(domain.registrations()).isEqualTo(1);
    assertThat(domain.close().succeeded()).isTrue();
    assertThat(domain.registrations()).isZero();
    Future<LocalMemory> late = domain.register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY);
    assertThat(late.cause()).isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.CLOSED);
  }
}
